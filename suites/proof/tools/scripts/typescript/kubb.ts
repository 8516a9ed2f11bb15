// The axios client of Kubb.
import { setConfig } from "@kubb/plugin-client/clients/axios";
import * as sdk from "./kubb/index";
import { tried } from "./sales";

const day = (date: Date) => date.toISOString().slice(0, 10);

await tried("kubb", (baseURL, key) => {
  setConfig({ baseURL, headers: { Authorization: `Bearer ${key}` } });
  return {
    createLead: async (email) => (await sdk.createLead({ email, metadata: null })).data,
    getLead: async (id) => (await sdk.getLead(id)).data,
    qualify: async (id) => (await sdk.updateLead(id, { status: "qualified", notes: null })).data,
    leads: async (limit, cursor) => {
      const { data, pagination } = await sdk.listLeads({ limit, cursor });
      return { rows: data, next: pagination.next_cursor };
    },
    starts: async (link, first, last) => {
      const answer = await sdk.listAvailability(link, { start_date: day(first), end_date: day(last) });
      return answer.data.slots.map((slot) => Number(slot.start_time));
    },
    book: async (link, start, email) => {
      const guest = { email, name: "Guest" };
      const body = { booking_link_id: link, start_time: start.toISOString(), guest, answers: { field_goal: "More time" } };
      const call = (await sdk.createCall(body, { "Idempotency-Key": "kubb-1" })).data;
      return { ...call, scheduled: call.scheduled_at };
    },
    close: async (id) => (await sdk.recordCallOutcome(id, { status: "closed" })).data.status,
    pay: async (lead, amount, date) => {
      const body = { lead_id: lead, amount, payment_date: date.toISOString(), status: "succeeded", source: "manual" } as const;
      return (await sdk.createPayment(body)).data.amount;
    },
    deals: async () => (await sdk.listOpportunities()).data,
  };
});
