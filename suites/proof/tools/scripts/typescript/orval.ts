// The fetch client of Orval, whose addresses have no host: a page of the deployment would call it so.
import * as sdk from "./orval/api";
import { tried } from "./sales";

const day = (date: Date) => date.toISOString().slice(0, 10);
const plain = globalThis.fetch;

// The answer of a call that went well.
function ok<T extends { status: number; data: unknown }>(answer: T): Extract<T, { status: 200 }>["data"] {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.data));
  return answer.data;
}

await tried("orval", (base, key) => {
  globalThis.fetch = (path, init) => plain(`${base}${path}`, init);
  const own = { headers: { Authorization: `Bearer ${key}` } };
  return {
    createLead: async (email) => ok(await sdk.createLead({ email, metadata: null }, own)).data,
    getLead: async (id) => ok(await sdk.getLead(id, own)).data,
    qualify: async (id) => ok(await sdk.updateLead(id, { status: "qualified", notes: null }, own)).data,
    leads: async (limit, cursor) => {
      const { data, pagination } = ok(await sdk.listLeads({ limit, cursor }, own));
      return { rows: data, next: pagination.next_cursor };
    },
    starts: async (link, first, last) => {
      const answer = await sdk.listAvailability(link, { start_date: day(first), end_date: day(last) }, own);
      return ok(answer).data.slots.map((slot) => slot.start_time);
    },
    book: async (link, start, email) => {
      const guest = { email, name: "Guest" };
      const body = { booking_link_id: link, start_time: start.toISOString(), guest, answers: { field_goal: "More time" } };
      const once = { headers: { ...own.headers, "Idempotency-Key": "orval-1" } };
      const call = ok(await sdk.createCall(body, once)).data;
      return { ...call, scheduled: call.scheduled_at };
    },
    close: async (id) => ok(await sdk.recordCallOutcome(id, { status: "closed" }, own)).data.status,
    pay: async (lead, amount, date) => {
      const body = { lead_id: lead, amount, payment_date: date.toISOString(), status: "succeeded", source: "manual" } as const;
      return ok(await sdk.createPayment(body, own)).data.amount;
    },
    deals: async () => ok(await sdk.listOpportunities({}, own)).data,
  };
});
