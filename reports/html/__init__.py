"""The HTML report: the contract itself, with the verdict of a run in its margin, as one file that
works offline.
"""
