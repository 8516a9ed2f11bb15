// Ten calls of the reference deployment with openapi-fetch on the types of openapi-typescript.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { env: Record<string, string> };

const client = createClient<paths>({
  baseUrl: process.env.BASE_URL,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
});
let calls = 0;

function ok<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  calls += 1;
  return answer.data;
}

function holds(what: boolean): void {
  if (!what) throw new Error("not what the document says");
}

// Null in nullable places, unknown keys where they are documented, answers to any field.
const lead: components["schemas"]["Lead"] = { id: "x", source: null, metadata: null, notes: null, payment_count: null };
const answers: components["schemas"]["CreateCallRequest"]["answers"] = { a: 1 };
holds(lead.source === null && answers !== undefined);

const made = ok(
  await client.POST("/v1/leads", { body: { email: "fetched@example.com", metadata: { utmSource: "x", further: 1 } } }),
);
const id = made.data.id;
holds(ok(await client.GET("/v1/leads/{id}", { params: { path: { id } } })).data.email === "fetched@example.com");
const changed = ok(await client.PATCH("/v1/leads/{id}", { params: { path: { id } }, body: { status: "qualified", notes: null } }));
holds(changed.data.status === "qualified");
const page = ok(await client.GET("/v1/leads", { params: { query: { limit: 1 } } }));
const cursor: string | null | undefined = page.pagination.next_cursor;
ok(await client.GET("/v1/leads", { params: { query: { limit: 1, cursor: cursor ?? "" } } }));

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const link = process.env.BOOKING_LINK;
const free = ok(
  await client.GET("/v1/booking-links/{id}/availability", {
    params: { path: { id: link }, query: { start_date: day(0), end_date: day(14) } },
  }),
);
const slot = free.data.slots[free.data.slots.length - 1];
const booked = ok(
  await client.POST("/v1/calls", {
    params: { header: { "Idempotency-Key": "fetched-1" } },
    body: {
      booking_link_id: link,
      start_time: new Date(slot.start_time * 1000).toISOString(),
      guest: { email: "guest.fetched@example.com", name: "Guest" },
      answers: { field_goal: "More time" },
    },
  }),
);
holds(booked.data.ai_summary === null);
const call = { path: { id: booked.data.id } };
holds(ok(await client.POST("/v1/calls/{id}/outcome", { params: call, body: { status: "closed" } })).data.status === "closed");
const paid = ok(
  await client.POST("/v1/payments", {
    body: { lead_id: id, amount: 12.5, payment_date: new Date().toISOString(), status: "succeeded", source: "manual" },
  }),
);
holds(paid.data.amount === 12.5);
ok(await client.GET("/v1/opportunities", { params: { query: { stage: "won" } } }));
const missing = await client.GET("/v1/leads/{id}", { params: { path: { id: "00000000-0000-4000-8000-000000000000" } } });
holds(missing.error?.code === "NOT_FOUND");
console.log(`${calls} calls`);
