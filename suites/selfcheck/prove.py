"""The long proof, `make prove`: measures the matrix of faults and checks, and everything that a change cannot wait for.

Without arguments: every fault with its checks and with the whole suite, every permitted variant, twenty seeds, the exhaustive tier;
at the end the matrix and its tables are written. With names of faults: only these, shown and compared with the matrix; `--write`
puts them into it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES
from plumbline.matrix import FILE, Matrix, Row, matrix, sources
from plumbline.spec import catalogue

from .claims import observable
from .judgements import Judgements, judgements_of
from .proving import accepted, beside, checks_of_deployments, focused, measured, whole
from .table import lines
from .trial import SEED, Found

ROOT = Path(__file__).parents[2]
MATRIX = ROOT / "suites" / FILE
KILLS = ROOT / "suites" / "KILLS.md"
