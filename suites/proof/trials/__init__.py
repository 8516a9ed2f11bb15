"""One trial: the checks of a session carried out against a deployment in this process, and what
judged.
"""
