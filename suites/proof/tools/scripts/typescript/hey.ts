// The client of hey-api.
import { createClient, createConfig } from "./hey/client/index";
import * as sdk from "./hey/index";
import { tried } from "./sales";

const day = (date: Date) => date.toISOString().slice(0, 10);

await tried("hey", (baseUrl, auth) => {
  const client = createClient(createConfig({ baseUrl, auth }));
  const shared = { client, throwOnError: true } as const;
  return {
    createLead: async (email) => (await sdk.createLead({ ...shared, body: { email, metadata: null } })).data.data,
    getLead: async (id) => (await sdk.getLead({ ...shared, path: { id } })).data.data,
    qualify: async (id) =>
      (await sdk.updateLead({ ...shared, path: { id }, body: { status: "qualified", notes: null } })).data.data,
    leads: async (limit, cursor) => {
      const { data, pagination } = (await sdk.listLeads({ ...shared, query: { limit, cursor } })).data;
      return { rows: data, next: pagination.next_cursor };
    },
    starts: async (id, first, last) => {
      const query = { start_date: day(first), end_date: day(last) };
      const answer = await sdk.listAvailability({ ...shared, path: { id }, query });
      return answer.data.data.slots.map((slot) => Number(slot.start_time));
    },
    book: async (link, start, email) => {
      const guest = { email, name: "Guest" };
      const body = { booking_link_id: link, start_time: start.toISOString(), guest, answers: { field_goal: "More time" } };
      const call = (await sdk.createCall({ ...shared, headers: { "Idempotency-Key": "hey-1" }, body })).data.data;
      return { ...call, scheduled: call.scheduled_at };
    },
    close: async (id) =>
      (await sdk.recordCallOutcome({ ...shared, path: { id }, body: { status: "closed" } })).data.data.status,
    pay: async (lead, amount, date) => {
      const body = { lead_id: lead, amount, payment_date: date.toISOString(), status: "succeeded", source: "manual" } as const;
      return (await sdk.createPayment({ ...shared, body })).data.data.amount;
    },
    deals: async () => (await sdk.listOpportunities(shared)).data.data,
  };
});
