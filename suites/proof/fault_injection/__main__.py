"""`python -m plumbline.suites.proof.fault_injection`: lets operations fail, says what is wrong."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .choosing import injections
from .commands import commands, materials, names, services
from .test_fault_injection import tried_at
from .trying import sandbox


def main() -> int:
    """Try the operations of some commands, or of all; returns 1 where an ending is not true."""
    parser = argparse.ArgumentParser(prog="python -m plumbline.suites.proof.fault_injection")
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help=f"one of: {'; '.join(names())}"
    )
    parser.add_argument("--limit", type=int, help="tries of each command (default: all)")
    parser.add_argument("--kind", default="", help="only operations of this kind")
    options = parser.parse_args()
    wrong = 0
    with services() as running, tempfile.TemporaryDirectory(prefix="materials-") as folder:
        commands_by_name = commands(running, materials(Path(folder), running))
        for name in options.commands or commands_by_name:
            with sandbox(commands_by_name[name]) as place:
                plain = place.carry_out(commands_by_name[name])
            points = [point for point in plain.points if options.kind in {"", point.kind}]
            begun, tried = time.monotonic(), 0
            for point, failure in injections(points, options.limit):
                is_hit, problems = tried_at(commands_by_name[name], plain, point, failure)
                tried += is_hit
                wrong += bool(problems)
                print("".join(f"  {problem}\n" for problem in problems), end="", flush=True)
            seconds = time.monotonic() - begun
            print(
                f"{name}: {tried} tried, of {len(plain.points)} operations, {seconds:.0f} s",
                flush=True,
            )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
