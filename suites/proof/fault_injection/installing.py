"""Installs the injector in a program, as its environment orders."""

import json
import os
import sys

from .injector import REFERENCE, VARIABLE, Injector, Order, Point


def install() -> None:
    """Install what the environment orders; nothing in the reference deployment."""
    ordered = os.environ.get(VARIABLE)
    if not ordered or REFERENCE in sys.orig_argv:
        return
    content = json.loads(ordered)
    point = content.pop("point")
    order = Order(point=Point(**point) if point else None, **content)
    injector = Injector(order)
    from . import disk, network, processes, sabotage  # noqa: PLC0415  only where an order was given

    if order.sabotage:
        sabotage.SABOTAGES[order.sabotage]()
    disk.install(injector)
    network.install(injector)
    processes.install(injector)
