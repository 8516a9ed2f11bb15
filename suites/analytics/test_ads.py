"""Ad performance: which calls and leads count in the row of an ad, and when."""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import (
    ADS,
    CALLS,
    CAMPAIGNS,
    CLOSES,
    LEADS,
    ad_rows,
    campaign_rows,
    summed,
)
from plumbline.fixtures.scenarios.shared.analytics_looks import (
    ALWAYS,
    AROUND_CALL,
    AROUND_NOW,
    AROUND_OTHER,
    MIN_CALL_DISTANCE,
    UNTIL_CALL,
)
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario

BOOKED_ONLY = "whose call is only booked"
LIES_AHEAD = "whose call lies behind the end of the window, which is now where none is given"
MADE_NOW = "whose lead was created outside of the window"


def judge_absent(
    judge: Judge,
    requirement: str,
    scenario: AnalyticsScenario,
    look: Exchange,
    pointers: tuple[str, ...],
    *,
    why: str,
) -> None:
    """Judge that the rows of the ad count none of these, and say why not."""
    _ = look.rows
    shown = {
        pointer: figure
        for pointer in pointers
        if (figure := summed(look, pointer, scenario.ad.is_named_by))
    }
    judge.that(
        requirement,
        not shown,
        look,
        expected=f"nothing counted for the ad, {why}",
        received=shown,
        where=next(iter(shown), "/data"),
    )


def judge_present(
    judge: Judge, requirement: str, scenario: AnalyticsScenario, pointer: str, window: str
) -> None:
    """Judge that a window holds what a wider one has counted for the ad; where that counts nothing
    yet, nothing is said.
    """
    if scenario.counted_for_ad(pointer, UNTIL_CALL):
        look = scenario.found_in(window, pointer)
        figure = summed(look, pointer, scenario.ad.is_named_by)
        judge.that(
            requirement,
            figure > 0,
            look,
            expected="1, as in a wider window",
            received=figure,
            where=pointer,
        )


@check("ANA-07")
def test_a_booking_counts_for_its_ad(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A new guest books through an ad; its row around the time of the call and around now, and the
    row of its campaign.

    > A booking with the UTM values of an ad MUST be counted in the row of that ad, or leave all
    > rows unchanged.
    """
    scenario = analytics_scenario
    _ = scenario.booked().data
    for window in (AROUND_CALL, AROUND_NOW):
        look = scenario.after()[ADS, window]
        odd = [wrong for row in ad_rows(look, scenario.ad) if (wrong := scenario.ad.misnamed(row))]
        judge.that(
            "ANA-07",
            not odd,
            look,
            expected=f"the names {as_json(scenario.ad.utm)}",
            received=odd,
            where=_field(odd),
        )
        for pointer in (*CALLS[ADS], "/data/*/leads_generated"):
            figure = summed(look, pointer, scenario.ad.is_named_by)
            judge.that(
                "ANA-07",
                figure in (0, 1),
                look,
                expected="1, or nothing yet",
                received=figure,
                where=pointer,
            )
    look = scenario.after()[CAMPAIGNS, UNTIL_CALL]
    odd = [
        wrong
        for row in campaign_rows(look, scenario.ad)
        if (wrong := scenario.ad.misnamed_campaign(row))
    ]
    judge.that(
        "ANA-07",
        not odd,
        look,
        expected=f"the names {as_json(scenario.ad.utm)}",
        received=odd,
        where=_field(odd),
    )


def _field(odd: Sequence[Mapping[str, Any]]) -> str:
    """Where the first wrong name of some rows stands."""
    return f"/data/*/{next(iter(odd[0]))}" if odd else "/data"


@check("ANA-10")
def test_a_booking_without_attribution_is_absent(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """A booking without UTM values, and all rows around the time of its call.

    > A booking without UTM values MUST NOT add to the calls of ad performance.
    """
    scenario = analytics_scenario
    given = {
        name: value
        for name, value in scenario.other().data.items()
        if name.startswith("utm_") and value
    }
    if given:
        raise NotApplicableError(
            f"a booking got UTM values that it did not bring: {', '.join(given)}"
        )
    looks = scenario.before()[ADS, AROUND_OTHER], scenario.after()[ADS, AROUND_OTHER]
    _ = [look.rows for look in looks]
    (pointer,) = CALLS[ADS]
    before, after = (
        summed(look, pointer, lambda row: not scenario.ad.is_named_by(row)) for look in looks
    )
    judge.that(
        "ANA-10",
        after <= before,
        looks[1],
        expected=f"no more than {before:g}",
        received=f"{after:g}",
        where=pointer,
    )


@check("ANA-13")
def test_calls_count_at_their_time(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A call that is booked now for a day far ahead, and the row of its ad around now, until now,
    and around the call.

    Without a window everything until now counts. Nobody has attended a call that lies ahead and has
    no outcome.

    > Ad performance MUST count calls at their scheduled time.
    """
    scenario = analytics_scenario
    _ = scenario.booked().data
    attended = ("/data/*/attended_calls",)
    judge_absent(judge, "ANA-13", scenario, scenario.before_close(), attended, why=BOOKED_ONLY)
    if scenario.slots()[0].starts_at - scenario.began() < MIN_CALL_DISTANCE:
        raise PreconditionNotMet(
            "the booking link offers no slot two days ahead", "open the booking link for more days"
        )
    for look in (scenario.after()[ADS, AROUND_NOW], scenario.whole()[ADS, ALWAYS]):
        figures = (*CALLS[ADS], *CLOSES[ADS], *attended)
        judge_absent(judge, "ANA-13", scenario, look, figures, why=LIES_AHEAD)
    judge_present(judge, "ANA-13", scenario, "/data/*/booked_calls", AROUND_CALL)


@check("ANA-14")
def test_leads_count_at_their_creation(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A lead that was created now, and the row of its ad around a call far ahead and around now.

    > Ad performance MUST count leads at their creation.
    """
    scenario = analytics_scenario
    _ = scenario.booked().data
    if scenario.slots()[0].starts_at - scenario.began() < MIN_CALL_DISTANCE:
        raise PreconditionNotMet(
            "the booking link offers no slot two days ahead", "open the booking link for more days"
        )
    around_call = scenario.after()[ADS, AROUND_CALL]
    judge_absent(judge, "ANA-14", scenario, around_call, LEADS[ADS], why=MADE_NOW)
    judge_present(judge, "ANA-14", scenario, "/data/*/leads_generated", AROUND_NOW)


@check("ANA-14")
def test_a_change_does_not_count_a_lead_anew(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """A lead that is changed after its creation, and the row of its ad in a window that holds the
    change alone.

    > Ad performance MUST count leads at their creation.
    """
    scenario = analytics_scenario
    if not scenario.counted_for_ad("/data/*/leads_generated", AROUND_NOW):
        raise NotApplicableError("the lead of the ad is not counted yet")
    before, after = scenario.leads_before_change(), scenario.leads_after_change()
    if any(summed(before, pointer, scenario.ad.is_named_by) for pointer in LEADS[ADS]):
        raise NotApplicableError("windows of ad performance are not distinguished by seconds")
    judge_absent(judge, "ANA-14", scenario, after, LEADS[ADS], why=MADE_NOW)
