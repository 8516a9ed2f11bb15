"""In an organization whose limits are used up other checks work before and after that."""

from pathlib import Path

import pytest

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.profile.embedded import foreseen
from plumbline.fixtures.profile.profile import build_profile
from plumbline.fixtures.profile.settings import Value
from plumbline.fixtures.run.planning.selection import Selection
from plumbline.fixtures.run.plugin.collecting import all_items
from plumbline.fixtures.scenarios.background.burst import IDLE_SECONDS, MINUTE_SECONDS
from plumbline.fixtures.session.run_settings import RunSettings
from plumbline.fixtures.session.share import Share, workers_for

from .proving import checks_of_deployments
from .trials.trial import attempt

HOMES = {"limited_home": "limited", "graphql_home": "limited_graphql"}
"""The organizations, with the client that uses up the limits of each."""
WAYS = ("", "fixed-window", "sliding-window", "token-bucket")
"""Ways to count requests: that of the plain deployment, and permitted variants."""


def planned() -> Selection:
    """A run at the documented limits, of a deployment with two organizations."""
    profile = build_profile(foreseen() | {"target.limits": Value("documented", "a test")})
    classes = frozenset({"core", "credentials", "isolation", "limits", "graphql", "relay"})
    run = RunSettings(1, "lent", "standard", Path("nowhere"))
    workers = workers_for(profile.workplaces)
    selection = Selection(profile, run, classes, None, workers, always_priced=True)
    selection.among(all_items())
    return selection


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("way", WAYS)
def test_limits_are_found_idle_and_left_as_they_are(home: str, way: str) -> None:
    """However the deployment counts, the checks of limits begin when nothing counts any more, the
    others meet no limit, and nothing fails.
    """
    plan, sent = planned(), list[Exchange]()
    names = {check.name for check in plan.checks if check.group == home}
    assert plan.early & names
    assert names - plan.early
    result = attempt(
        [check for check in checks_of_deployments() if check.name in names],
        variants=[way] if way else [],
        limits="documented",
        share=Share(home),
        early=plan.early,
        watch=sent.append,
    )
    assert (result.red, result.harness) == (set(), {}), (result.checks, result.traffic)
    using_up = [one.sent_at for one in sent if one.actor == HOMES[home]]
    others = [one for one in sent if one.actor == home]
    assert not [one for one in others if one.status == 429]
    before = max(one.sent_at for one in others if one.sent_at < using_up[0])
    assert using_up[0] - before >= IDLE_SECONDS
    after = [one.sent_at for one in others if one.sent_at > using_up[0]]
    assert min(after) > using_up[-1]
    assert min(after) - using_up[0] >= MINUTE_SECONDS
