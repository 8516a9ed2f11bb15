"""Where the kernel does not tell what is on its way, there is nothing to try."""

from .loopback import kernel_counts_bytes

collect_ignore = [] if kernel_counts_bytes() else ["test_loopback.py"]
