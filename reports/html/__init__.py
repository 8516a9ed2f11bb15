"""The HTML report: the contract itself, with the verdict of a run in its margin, as one file that works offline."""

from plumbline.reports.html.deliveries import deliveries
from plumbline.reports.html.page import page

__all__ = ["deliveries", "page"]
