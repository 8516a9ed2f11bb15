"""A client of openapi-python-client that does the tasks of `plumbline client`."""

import datetime
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any

from sales import AuthenticatedClient, models
from sales.api.booking_links import list_availability
from sales.api.calls import (
    create_call,
    list_calls,
    record_call_outcome,
    reschedule_call,
    update_call,
)
from sales.api.graph_ql import run_graph_ql
from sales.api.leads import create_lead, get_lead, list_leads, update_lead
from sales.api.opportunities import list_opportunities
from sales.api.payments import create_payment, list_payments
from sales.types import UNSET
from speaking import ServiceError, speak

at = datetime.datetime.fromisoformat


def moment(value: Any) -> str | None:
    """A time as a reply has it."""
    return value.isoformat() if isinstance(value, datetime.datetime) else None


class Tasks:
    """The tasks, each by the operation that the generator has made for it."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self.client = AuthenticatedClient(base_url=base_url, token=api_key)

    def ask(self, operation: ModuleType, *path: object, **options: object) -> Any:
        """The answer of an operation."""
        answer = operation.sync_detailed(*path, client=self.client, **options)
        if "Error" in type(answer.parsed).__name__:
            raise ServiceError(answer.status_code, answer.parsed.code)
        return answer.parsed

    def rows(self, operation: ModuleType, **query: object) -> list[Any]:
        """All rows of a list."""
        rows: list[Any] = []
        while True:
            page = self.ask(operation, **query)
            rows += page.data
            if not page.pagination.has_more:
                return rows
            query["cursor"] = page.pagination.next_cursor

    def ids(self, operation: ModuleType, **query: object) -> list[str]:
        """The ids of all rows."""
        return [str(row.id) for row in self.rows(operation, **query)]

    def get_lead(self, lead_id: str) -> dict[str, Any]:
        lead = self.ask(get_lead, uuid.UUID(lead_id)).data
        cents = lead.total_paid_cents
        total = cents / 100 if isinstance(cents, int) else None
        return {"id": str(lead.id), "email": lead.email or None, "total_paid": total}

    def create_lead(self, **fields: Any) -> dict[str, Any]:
        return {"id": str(self.ask(create_lead, body=models.CreateLeadRequest(**fields)).data.id)}

    def update_lead(self, lead_id: str, changes: dict[str, Any]) -> dict[str, Any]:
        body = models.UpdateLeadRequest.from_dict(changes)
        return {"id": str(self.ask(update_lead, uuid.UUID(lead_id), body=body).data.id)}

    def add_note(self, lead_id: str, content: str) -> dict[str, Any]:
        earlier = self.ask(get_lead, uuid.UUID(lead_id)).data.notes or []
        notes = [models.NoteInput.from_dict(note.to_dict()) for note in earlier]
        now = datetime.datetime.now(datetime.timezone.utc)
        notes.append(models.NoteInput(content=content, created_at=now))
        body = models.UpdateLeadRequest(notes=notes)
        return {"id": str(self.ask(update_lead, uuid.UUID(lead_id), body=body).data.id)}

    def list_leads(self, page_size: int | None = None) -> dict[str, Any]:
        return {"ids": self.ids(list_leads, limit=page_size or UNSET)}

    def list_payments(self, page_size: int | None = None) -> dict[str, Any]:
        return {"ids": self.ids(list_payments, limit=min(page_size or 100, 100))}

    def list_calls(self, **filters: str) -> dict[str, Any]:
        return {"ids": self.ids(list_calls, **filters)}

    def list_opportunities(self, stage: str) -> dict[str, Any]:
        return {"ids": self.ids(list_opportunities, stage=models.ListOpportunitiesStage(stage))}

    def get_call(self, call_id: str, lead_id: str) -> dict[str, Any]:
        rows = self.rows(list_calls, lead_id=lead_id)
        call = next(row for row in rows if str(row.id) == call_id)
        return {"id": call_id, "scheduled_at": moment(call.scheduled_at)}

    def find_slots(self, booking_link_id: str, start_date: str, end_date: str) -> dict[str, Any]:
        first, last = map(datetime.date.fromisoformat, (start_date, end_date))
        slots: list[dict[str, str]] = []
        while first <= last:
            end = min(last, first + datetime.timedelta(days=29))
            link = uuid.UUID(booking_link_id)
            answer = self.ask(list_availability, link, start_date=first, end_date=end)
            for slot in answer.data.slots:
                start = datetime.datetime.fromtimestamp(slot.start_time, datetime.timezone.utc)
                slots.append({"start": start.isoformat()})
            first = end + datetime.timedelta(days=1)
        return {"slots": slots}

    def book_call(
        self, booking_link_id: str, start_time: str, guest: dict[str, str]
    ) -> dict[str, Any]:
        body = models.CreateCallRequest(
            uuid.UUID(booking_link_id), at(start_time), models.Guest(**guest)
        )
        call = self.ask(create_call, body=body, idempotency_key=str(uuid.uuid4())).data
        return {"id": str(call.id), "scheduled_at": moment(call.scheduled_at)}

    def set_call_status(self, call_id: str, status: str) -> dict[str, Any]:
        call = uuid.UUID(call_id)
        if status == "unfit":
            change = models.UpdateCallRequest(status=models.CallStatusValue(status))
            return {"id": str(self.ask(update_call, call, body=change).data.id)}
        outcome = models.RecordCallOutcomeRequest(models.RecordCallOutcomeRequestStatus(status))
        return {"id": str(self.ask(record_call_outcome, call, body=outcome).data.id)}

    def reschedule_call(self, call_id: str, scheduled_at: str) -> dict[str, Any]:
        body = models.RescheduleCallRequest(at(scheduled_at))
        call = self.ask(reschedule_call, uuid.UUID(call_id), body=body).data
        return {"id": str(call.id), "scheduled_at": moment(call.scheduled_at)}

    def record_payment(
        self, lead_id: str, amount: str, payment_date: str, status: str, **others: Any
    ) -> dict[str, Any]:
        paid = models.PaymentStatus(status)
        lead = uuid.UUID(lead_id)
        body = models.CreatePaymentRequest(lead, float(amount), at(payment_date), paid, **others)
        payment = self.ask(create_payment, body=body).data
        return {"id": str(payment.id), "amount": payment.amount}

    def graphql(self, query: str) -> dict[str, Any]:
        answer = self.ask(run_graph_ql, body=models.RunGraphQLRequest(query=query))
        fields = (answer.data or {}).values()
        if answer.errors or any(isinstance(one, dict) and one.get("userErrors") for one in fields):
            raise ServiceError(200, None)
        return {"data": answer.data}

    def sync_after_outage(self) -> dict[str, Any]:
        kinds: dict[str, Callable[[], list[str]]] = {
            "lead_ids": lambda: self.ids(list_leads),
            "call_ids": lambda: self.ids(list_calls),
            "payment_ids": lambda: self.ids(list_payments),
        }
        return {name: read() for name, read in kinds.items()}


speak(Tasks)
