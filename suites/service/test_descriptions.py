"""The description of the REST surface and the interactive reference."""

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import has_kind
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.scenarios.mark import check


@check("SVC-01")
def test_the_openapi_document_is_served(api: Client, judge: Judge) -> None:
    """The OpenAPI document; how it differs from the contract is noted in the report and not judged.

    > `GET /openapi.json` with a valid key MUST be answered with a JSON object that describes the
    > REST surface.
    """
    served = api.get("/openapi.json")
    judge("SVC-01", served, has_kind("/paths", dict, "an object with paths"))


@check("SVC-02")
def test_the_api_reference_is_served(api: Client, judge: Judge) -> None:
    """The interactive reference.

    > `GET /docs` with a valid key SHOULD NOT be answered with an error status.
    """
    page = api.request("GET", "/docs", headers={"accept": "text/html"})
    judge(
        "SVC-02",
        page,
        lambda answer: (
            Mismatch("no error status", answer.summary())
            if not 200 <= answer.status < 400
            else None
        ),
    )
