"""What the proof of the suites does not show yet, fault by fault."""

CASCADES: dict[str, set[str]] = {}
"""Requirements that turn red beside those that the fault breaks, because a check believes what the fault falsifies."""
BLIND_SPOTS: dict[str, set[str]] = {}
"""Requirements that the fault breaks and no check of the standard tier notices."""
