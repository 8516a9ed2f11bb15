"""Leads with bodies that Hypothesis draws from the schema."""

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import has
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.drawn import BODIES_PER_TIER, draw_bodies
from plumbline.fixtures.session.session import Session

PROFILE = ("email", "full_name", "phone", "company", "timezone")


@check("LEAD-01", "LEAD-03", cost=2)
def test_valid_bodies_make_leads(api: Client, judge: Judge, session: Session, build: Builders) -> None:
    """Valid bodies of any content: other scripts, other lengths, with and without each optional field.

    > A created lead MUST hold every profile field that was given.
    """
    fixed = {"email": lambda: build.sample_data.guest().email}
    drawn = draw_bodies(
        "POST-v1-leads.body", seed=f"{session.settings.seed}:leads", examples=BODIES_PER_TIER[session.settings.tier], fixed=fixed
    )
    for body in drawn:
        created = api.post("/v1/leads", body)
        judge("LEAD-01", created, has("/data/email", body["email"]))
        judge("LEAD-03", created, *(has(f"/data/{name}", body[name]) for name in PROFILE if name in body))
