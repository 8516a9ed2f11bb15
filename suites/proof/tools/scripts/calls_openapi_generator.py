"""Calls of the reference deployment with a Python client of openapi-generator, and every nullable
place of its models read as null.
"""

import datetime
import json
import os
import sys
import uuid
from pathlib import Path

import sales
from sales import models

for name, value in json.loads(Path(sys.argv[1]).read_text()).items():
    read = getattr(models, name).from_dict(value)
    assert all(
        getattr(read, field) is None
        for field, held in value.items()
        if held is None and hasattr(read, field)
    ), name
for name, value in json.loads(Path(sys.argv[2]).read_text()).items():
    assert getattr(models, name).from_dict(value).to_dict()["surprise"] == 1, name

client = sales.ApiClient(
    sales.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["API_KEY"])
)
leads, calls, payments = sales.LeadsApi(client), sales.CallsApi(client), sales.PaymentsApi(client)
now = datetime.datetime.now(datetime.timezone.utc)

lead = leads.create_lead(
    models.CreateLeadRequest(email="generated@example.com", full_name="Generated", metadata=None)
).data
assert leads.get_lead(lead.id).data.email == "generated@example.com"
note = models.NoteInput(content="Hello", created_at=now)
assert (
    leads.update_lead(
        lead.id, models.UpdateLeadRequest(status="qualified", notes=[note])
    ).data.status
    == "qualified"
)
assert leads.list_lead_notes(lead.id).data.notes[0].content == "Hello"
page = leads.list_leads(limit=1)
assert page.pagination.next_cursor
assert leads.list_leads(limit=1, cursor=page.pagination.next_cursor).data

link, today = uuid.UUID(os.environ["BOOKING_LINK"]), now.date()
free = sales.BookingLinksApi(client).list_availability(
    link, today, today + datetime.timedelta(days=14)
)
start = datetime.datetime.fromtimestamp(free.data.slots[-1].start_time, datetime.timezone.utc)
guest = models.Guest(email="guest.generated@example.com", name="Guest")
given = {"field_goal": "More time"}
booking = models.CreateCallRequest(
    booking_link_id=link, start_time=start, guest=guest, answers=given
)
call = calls.create_call(booking, idempotency_key="generated-1").data
assert call.ai_summary is None
assert calls.list_calls(limit=500).data
outcome = models.RecordCallOutcomeRequest(status="closed")
assert calls.record_call_outcome(call.id, outcome).data.status == "closed"

paid = models.CreatePaymentRequest(
    lead_id=lead.id,
    amount=12.5,
    payment_date=now,
    status=models.PaymentStatus.SUCCEEDED,
    source="manual",
)
payment = payments.create_payment(paid).data
assert (
    payments.verify_payment(
        payment.id, models.VerifyPaymentRequest(call_id=call.id)
    ).data.verification_status
    == "confirmed"
)
assert sales.AnalyticsApi(client).get_dashboard().success
try:
    leads.get_lead(uuid.UUID(int=7, version=4))
except sales.exceptions.NotFoundException as error:
    assert isinstance(error.data, models.NotFoundError)
else:
    raise AssertionError("an unknown lead was found")
print("13 calls")
