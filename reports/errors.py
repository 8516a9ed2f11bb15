"""What the rooms of the reports raise when a file cannot be used."""


class ReportError(ValueError):
    """A file of an earlier run, or one that a run is given, that cannot be used: one sentence with the place and what to do."""
