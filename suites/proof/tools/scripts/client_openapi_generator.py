"""A Python client of openapi-generator that does the tasks of `plumbline client`."""

import datetime
import uuid
from collections.abc import Callable
from typing import Any

import sales
from sales import models
from speaking import ServiceError, speak

at = datetime.datetime.fromisoformat


def moment(value: datetime.datetime | None) -> str | None:
    """A time as a reply has it."""
    return value.isoformat() if value else None


def ask(operation: Callable[..., Any], *path: object, **options: object) -> Any:
    """The answer of an operation."""
    try:
        return operation(*path, **options)
    except sales.ApiException as error:
        if not error.status:
            raise
        raise ServiceError(error.status, getattr(error.data, "code", None)) from None


def rows(operation: Callable[..., Any], **query: object) -> list[Any]:
    """All rows of a list."""
    read: list[Any] = []
    while True:
        page = ask(operation, **query)
        read += page.data
        if not page.pagination.has_more:
            return read
        query["cursor"] = page.pagination.next_cursor


def ids(operation: Callable[..., Any], **query: object) -> list[str]:
    """The ids of all rows."""
    return [str(row.id) for row in rows(operation, **query)]


class Tasks:
    """The tasks, each by the operation that the generator has made for it."""

    def __init__(self, base_url: str, api_key: str) -> None:
        client = sales.ApiClient(sales.Configuration(host=base_url, access_token=api_key))
        self.leads, self.calls = sales.LeadsApi(client), sales.CallsApi(client)
        self.payments, self.links = sales.PaymentsApi(client), sales.BookingLinksApi(client)
        self.opportunities = sales.OpportunitiesApi(client)
        self.queries = sales.GraphQLApi(client)

    def get_lead(self, lead_id: str) -> dict[str, Any]:
        lead = ask(self.leads.get_lead, uuid.UUID(lead_id)).data
        cents = lead.total_paid_cents
        total = None if cents is None else cents / 100
        return {"id": str(lead.id), "email": lead.email, "total_paid": total}

    def create_lead(self, **fields: Any) -> dict[str, Any]:
        body = models.CreateLeadRequest(**fields)
        return {"id": str(ask(self.leads.create_lead, body).data.id)}

    def update_lead(self, lead_id: str, changes: dict[str, Any]) -> dict[str, Any]:
        body = models.UpdateLeadRequest(**changes)
        return {"id": str(ask(self.leads.update_lead, uuid.UUID(lead_id), body).data.id)}

    def add_note(self, lead_id: str, content: str) -> dict[str, Any]:
        earlier = ask(self.leads.get_lead, uuid.UUID(lead_id)).data.notes or []
        notes = [models.NoteInput.from_dict(note.to_dict()) for note in earlier]
        now = datetime.datetime.now(datetime.timezone.utc)
        body = models.UpdateLeadRequest(
            notes=[*notes, models.NoteInput(content=content, created_at=now)]
        )
        return {"id": str(ask(self.leads.update_lead, uuid.UUID(lead_id), body).data.id)}

    def list_leads(self, page_size: int | None = None) -> dict[str, Any]:
        return {"ids": ids(self.leads.list_leads, limit=page_size)}

    def list_payments(self, page_size: int | None = None) -> dict[str, Any]:
        return {"ids": ids(self.payments.list_payments, limit=page_size)}

    def list_calls(self, **filters: str) -> dict[str, Any]:
        return {"ids": ids(self.calls.list_calls, **filters)}

    def list_opportunities(self, stage: str) -> dict[str, Any]:
        return {"ids": ids(self.opportunities.list_opportunities, stage=stage)}

    def get_call(self, call_id: str, lead_id: str) -> dict[str, Any]:
        listed = rows(self.calls.list_calls, lead_id=lead_id)
        call = next(row for row in listed if str(row.id) == call_id)
        return {"id": call_id, "scheduled_at": moment(call.scheduled_at)}

    def find_slots(self, booking_link_id: str, start_date: str, end_date: str) -> dict[str, Any]:
        first, last = map(datetime.date.fromisoformat, (start_date, end_date))
        slots: list[dict[str, str]] = []
        while first <= last:
            end = min(last, first + datetime.timedelta(days=29))
            answer = ask(self.links.list_availability, uuid.UUID(booking_link_id), first, end)
            for slot in answer.data.slots:
                start = datetime.datetime.fromtimestamp(slot.start_time, datetime.timezone.utc)
                slots.append({"start": start.isoformat()})
            first = end + datetime.timedelta(days=1)
        return {"slots": slots}

    def book_call(
        self, booking_link_id: str, start_time: str, guest: dict[str, str]
    ) -> dict[str, Any]:
        body = models.CreateCallRequest(
            booking_link_id=uuid.UUID(booking_link_id),
            start_time=at(start_time),
            guest=models.Guest(**guest),
        )
        call = ask(self.calls.create_call, body, idempotency_key=str(uuid.uuid4())).data
        return {"id": str(call.id), "scheduled_at": moment(call.scheduled_at)}

    def set_call_status(self, call_id: str, status: str) -> dict[str, Any]:
        call = uuid.UUID(call_id)
        if status == "unfit":
            change = models.UpdateCallRequest(status=models.CallStatusValue(status))
            return {"id": str(ask(self.calls.update_call, call, change).data.id)}
        outcome = models.RecordCallOutcomeRequest(status=status)
        return {"id": str(ask(self.calls.record_call_outcome, call, outcome).data.id)}

    def reschedule_call(self, call_id: str, scheduled_at: str) -> dict[str, Any]:
        body = models.RescheduleCallRequest(scheduled_at=at(scheduled_at))
        call = ask(self.calls.reschedule_call, uuid.UUID(call_id), body).data
        return {"id": str(call.id), "scheduled_at": moment(call.scheduled_at)}

    def record_payment(
        self, lead_id: str, amount: str, payment_date: str, **others: Any
    ) -> dict[str, Any]:
        body = models.CreatePaymentRequest(
            lead_id=uuid.UUID(lead_id),
            amount=float(amount),
            payment_date=at(payment_date),
            **others,
        )
        payment = ask(self.payments.create_payment, body).data
        return {"id": str(payment.id), "amount": payment.amount}

    def graphql(self, query: str) -> dict[str, Any]:
        answer = ask(self.queries.run_graph_ql, models.RunGraphQLRequest(query=query))
        fields = (answer.data or {}).values()
        if answer.errors or any(isinstance(one, dict) and one.get("userErrors") for one in fields):
            raise ServiceError(200, None)
        return {"data": answer.data}

    def sync_after_outage(self) -> dict[str, Any]:
        return {
            "lead_ids": ids(self.leads.list_leads),
            "call_ids": ids(self.calls.list_calls),
            "payment_ids": ids(self.payments.list_payments),
        }


speak(Tasks)
