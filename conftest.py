"""Load the conformance plugin for a run from a checkout; everything else lives in the four
folders.
"""

pytest_plugins = ["plumbline.fixtures.run.plugin"]
