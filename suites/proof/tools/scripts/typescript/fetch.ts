// The fetch client of openapi-generator, which renames fields and makes dates of times.
import { readFileSync } from "node:fs";
import * as models from "./fetch/index";
import { tried } from "./sales";

// Every component that the service sends, through its reader.
const readers = models as unknown as Record<string, (value: unknown) => Record<string, unknown>>;
for (const file of ["nulls.json", "surprises.json"]) {
  for (const [name, value] of Object.entries(JSON.parse(readFileSync(file, "utf-8")))) {
    const read = readers[`${name}FromJSON`](value);
    if (file === "surprises.json" && read.surprise !== 1) throw new Error(`${name} loses an unknown field`);
  }
}

await tried("fetch", (basePath, accessToken) => {
  const settings = new models.Configuration({ basePath, accessToken });
  const [leads, calls] = [new models.LeadsApi(settings), new models.CallsApi(settings)];
  return {
    createLead: async (email) => (await leads.createLead({ createLeadRequest: { email, metadata: null } })).data,
    getLead: async (id) => (await leads.getLead({ id })).data,
    qualify: async (id) => (await leads.updateLead({ id, updateLeadRequest: { status: "qualified", notes: null } })).data,
    leads: async (limit, cursor) => {
      const { data, pagination } = await leads.listLeads({ limit, cursor });
      return { rows: data, next: pagination.nextCursor };
    },
    starts: async (id, startDate, endDate) => {
      const answer = await new models.BookingLinksApi(settings).listAvailability({ id, startDate, endDate });
      return answer.data.slots.map((slot) => slot.startTime);
    },
    book: async (bookingLinkId, startTime, email) => {
      const guest = { email, name: "Guest" };
      const createCallRequest = { bookingLinkId, startTime, guest, answers: { field_goal: "More time" } };
      const call = (await calls.createCall({ createCallRequest, idempotencyKey: "fetch-1" })).data;
      return { id: call.id, ai_summary: call.aiSummary, scheduled: call.scheduledAt };
    },
    close: async (id) => (await calls.recordCallOutcome({ id, recordCallOutcomeRequest: { status: "closed" } })).data.status,
    pay: async (leadId, amount, paymentDate) => {
      const createPaymentRequest = { leadId, amount, paymentDate, status: "succeeded", source: "manual" } as const;
      return (await new models.PaymentsApi(settings).createPayment({ createPaymentRequest })).data.amount;
    },
    deals: async () => (await new models.OpportunitiesApi(settings).listOpportunities({})).data,
  };
});
