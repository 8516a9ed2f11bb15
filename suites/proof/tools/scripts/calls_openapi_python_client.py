"""Calls of the reference deployment with a client of openapi-python-client, and every nullable
place of its models read as null.
"""

import datetime
import json
import os
import sys
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from sales import AuthenticatedClient, models
from sales.api.analytics import get_dashboard
from sales.api.booking_links import list_availability
from sales.api.calls import create_call, list_calls, record_call_outcome
from sales.api.leads import create_lead, get_lead, list_lead_notes, list_leads, update_lead
from sales.api.payments import create_payment, verify_payment

T = TypeVar("T")

for name, value in json.loads(Path(sys.argv[1]).read_text()).items():
    again = getattr(models, name).from_dict(value).to_dict()
    assert {key for key in value if value[key] is None} == {
        key for key in again if again[key] is None
    }, name
for name, value in json.loads(Path(sys.argv[2]).read_text()).items():
    assert getattr(models, name).from_dict(value).to_dict()["surprise"] == 1, name

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
link = UUID(os.environ["BOOKING_LINK"])
done = 0


def ok(answer: object, kind: type[T]) -> T:
    """Count an answer that is of the kind that it has to be."""
    global done
    assert isinstance(answer, kind), answer
    done += 1
    return answer


new = models.CreateLeadRequest(email="typed@example.com", full_name="Typed Client", metadata=None)
lead = ok(create_lead.sync(client=client, body=new), models.LeadResponse).data
assert (
    ok(get_lead.sync(lead.id, client=client), models.LeadResponse).data.email == "typed@example.com"
)
note = models.NoteInput(content="Hello", created_at=datetime.datetime.now(datetime.UTC))
changed = update_lead.sync(
    lead.id, client=client, body=models.UpdateLeadRequest(status="qualified", notes=[note])
)
assert ok(changed, models.LeadResponse).data.status == "qualified"
assert (
    ok(list_lead_notes.sync(lead.id, client=client), models.NoteCollectionResponse)
    .data.notes[0]
    .content
    == "Hello"
)
page = ok(list_leads.sync(client=client, limit=1), models.LeadList)
assert isinstance(page.pagination.next_cursor, str)
ok(list_leads.sync(client=client, limit=1, cursor=page.pagination.next_cursor), models.LeadList)

today = datetime.datetime.now(datetime.UTC).date()
free = list_availability.sync(
    link, client=client, start_date=today, end_date=today + datetime.timedelta(days=14)
)
slot = ok(free, models.AvailabilityResponse).data.slots[-1]
start = datetime.datetime.fromtimestamp(slot.start_time, datetime.UTC)
given = models.CreateCallRequestAnswers.from_dict({"field_goal": "More time"})
booking = models.CreateCallRequest(
    link, start, models.Guest(email="guest.typed@example.com", name="Guest"), answers=given
)
call = ok(
    create_call.sync(client=client, body=booking, idempotency_key="typed-1"), models.CallResponse
).data
assert call.ai_summary is None
assert call.has_analysis is False
assert ok(list_calls.sync(client=client, limit=500), models.CallList).data
outcome = models.RecordCallOutcomeRequest(status=models.RecordCallOutcomeRequestStatus.CLOSED)
assert (
    ok(
        record_call_outcome.sync(call.id, client=client, body=outcome), models.CallResponse
    ).data.status
    == "closed"
)

now = datetime.datetime.now(datetime.UTC)
paid = models.CreatePaymentRequest(lead.id, 12.5, now, models.PaymentStatus.SUCCEEDED, "manual")
payment = ok(create_payment.sync(client=client, body=paid), models.PaymentResponse).data
verified = verify_payment.sync(
    payment.id, client=client, body=models.VerifyPaymentRequest(call_id=call.id)
)
assert ok(verified, models.PaymentResponse).data.verification_status == "confirmed"
ok(get_dashboard.sync(client=client), models.DashboardResponse)

missing = get_lead.sync(UUID(int=7, version=4), client=client)
assert isinstance(missing, models.NotFoundError)
print(f"{done} calls")
