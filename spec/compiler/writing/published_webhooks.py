"""The webhooks of the published document: a body for each event, and an example whose signature
verifies.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from plumbline.spec.compiler.model import Contract, EventKind, Shape, Type
from plumbline.spec.compiler.writing.common import data_shape, delivery_shape
from plumbline.spec.compiler.writing.components import Components, camel, header_parameter

SECRET = hashlib.sha256(b"an example").hexdigest()
"""Of the examples; the secret of a subscription has as many bytes."""
DELIVERY_SECONDS = 2
"""Between an event of an example and its delivery."""
EVENTS_TAG = "Webhook events"
VERIFYING = """## Verifying a delivery

```python
import hashlib, hmac, time

def verify(secret: str, header: str, body: bytes) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    t = next(value for name, value in parts if name == "t")
    if abs(time.time() * 1000 - int(t)) > 300_000:
        return False
    wanted = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(wanted, value) for name, value in parts if name == "v1")
```

Whether the HMAC is keyed by the text of the secret or by the bytes that it encodes is left open.
The examples use the text. All examples of events are signed with the secret

```
{secret}
```

over their body as compact JSON, with the keys in the order shown. For this body

```
{body}
```

the header is

```
X-Svc-Signature-V1: {header}
```
"""
"""How to verify; braces stand for the example."""


def event_shapes(contract: Contract) -> Mapping[str, Shape]:
    """What `data` of the events holds, by the name of the schema; it may hold further keys."""
    named = {_data_name(contract, event): event for event in contract.events.values()}
    return {name: _event_shape(contract, event, name) for name, event in named.items()}


def _event_shape(contract: Contract, event: EventKind, name: str) -> Shape:
    own = contract.event_data.get(event.name)
    shape = data_shape(contract, event)
    text = f"{shape.text} {own.text}" if own else shape.text
    return replace(shape, name=name, open=True, text=text)


def webhook(
    contract: Contract, components: Components, event: EventKind, example: Any
) -> dict[str, Any]:
    """The webhook of an event."""
    delivery = delivery_shape(contract, event)
    data = replace(delivery.fields["data"], type=Type("shape", _data_name(contract, event)))
    whole = replace(delivery, fields={**delivery.fields, "data": data}, text=_purpose(event))
    body = components.object(f"{camel(event.name)}Event", whole, sent=False)
    content = {"schema": body} | ({"example": example} if example else {})
    return {
        "operationId": f"on{camel(event.name)}",
        "summary": event.name,
        "description": _purpose(event),
        "tags": [EVENTS_TAG],
        "security": [],
        "parameters": _headers(contract, example),
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "200": {"description": "Received; any 2xx within 10 seconds says so."},
            "4XX": {"description": "Not taken. 408 and 429 are retried, the others are not."},
            "5XX": {"description": "Not taken now; retried."},
        },
    }


def signing_guide(example: Any) -> str:
    """How a receiver verifies a delivery, shown on an example."""
    return VERIFYING.format(
        secret=SECRET,
        header=_signatures(example)["X-Svc-Signature-V1"],
        body=_raw(example).decode(),
    )


def _purpose(event: EventKind) -> str:
    return f"Sent when {event.meaning}."


def _headers(contract: Contract, example: Any) -> list[dict[str, Any]]:
    signatures = _signatures(example) if example else {}
    headers = []
    for header in contract.headers["every delivery"]:
        sample = {"example": signatures[header.name]} if header.name in signatures else {}
        headers.append(header_parameter(header) | sample)
    return headers


def _signatures(example: Any) -> dict[str, str]:
    """The signature headers of a delivery that follows its event."""
    moment = (
        int(datetime.fromisoformat(example["created_at"]).timestamp() + DELIVERY_SECONDS) * 1000
    )
    stamped, bare = (_hmac(text) for text in (f"{moment}.".encode() + _raw(example), _raw(example)))
    return {"X-Svc-Signature-V1": f"t={moment},v1={stamped}", "X-Svc-Signature": bare}


def _raw(example: Any) -> bytes:
    return json.dumps(example, separators=(",", ":"), ensure_ascii=False).encode()


def _hmac(text: bytes) -> str:
    return hmac.new(SECRET.encode(), text, hashlib.sha256).hexdigest()


def _data_name(contract: Contract, event: EventKind) -> str:
    """The schema of the data of an event: one for each entity, and one for each event that adds to
    it.
    """
    return f"{camel(event.name) if event.name in contract.event_data else event.data.name}EventData"
