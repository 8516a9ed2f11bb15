"""Python runs this at the start of a program with this folder on its PYTHONPATH."""

from plumbline.suites.proof.fault_injection.installing import install

install()
