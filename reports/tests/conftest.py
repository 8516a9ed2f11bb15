"""How examples are drawn in these tests: none fails because the machine is busy."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
