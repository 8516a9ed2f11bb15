"""Operations on connections that the injector counts and lets fail, of any library."""

import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from .injector import Injector

INTERNET = (socket.AF_INET, socket.AF_INET6)
METHODS = {
    "connect": "connect",
    "connect_ex": "connect",
    "send": "send",
    "sendall": "send",
    "accept": "accept",
    "bind": "listen",
}
"""Methods of sockets, and the kind of each."""


def install(injector: Injector) -> None:
    """Put the functions of this module in place of those of Python."""
    for name, kind in METHODS.items():
        setattr(socket.socket, name, _method(injector, kind, getattr(socket.socket, name)))
    for name in ("recv", "recv_into"):
        setattr(
            socket.socket,
            name,
            _receiving(injector, getattr(socket.socket, name), into=name == "recv_into"),
        )
    socket.getaddrinfo = _resolving(injector, socket.getaddrinfo)
    setattr(socket.socket, "__init__", _making(injector, socket.socket.__init__))  # noqa: B010


def _place(taken: socket.socket) -> str | None:
    return "the network" if taken.family in INTERNET else None


def _method(injector: Injector, kind: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    def done(self: socket.socket, *arguments: Any) -> Any:
        return injector.perform(kind, _place(self), partial(plain, self, *arguments))

    return done


def _receiving(injector: Injector, plain: Callable[..., Any], *, into: bool) -> Callable[..., Any]:
    def received(self: socket.socket, *arguments: Any) -> Any:
        failure = injector.reached("receive", place) if (place := _place(self)) else None
        if failure is not None and failure.how == "cut":
            return 0 if into else b""
        if failure is not None:
            return injector.fail("receive", place, failure, partial(plain, self, *arguments))
        return plain(self, *arguments)

    return received


def _resolving(injector: Injector, plain: Callable[..., Any]) -> Callable[..., Any]:
    def resolved(*arguments: Any, **options: Any) -> Any:
        return injector.perform("resolve", "a name", partial(plain, *arguments, **options))

    return resolved


def _making(injector: Injector, plain: Callable[..., None]) -> Callable[..., None]:
    def made(
        self: socket.socket,
        family: int = -1,
        type: int = -1,  # noqa: A002
        proto: int = -1,
        fileno: Any = None,
    ) -> None:
        place = "the network" if fileno is None and family in (-1, *INTERNET) else None
        injector.perform("socket", place, partial(plain, self, family, type, proto, fileno))

    return made
