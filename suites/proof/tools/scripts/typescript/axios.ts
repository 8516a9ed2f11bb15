// The axios client of openapi-generator.
import { BookingLinksApi, CallsApi, Configuration, LeadsApi, OpportunitiesApi, PaymentsApi } from "./axios/index";
import { tried } from "./sales";

const day = (date: Date) => date.toISOString().slice(0, 10);

await tried("axios", (basePath, accessToken) => {
  const settings = new Configuration({ basePath, accessToken });
  const [leads, calls] = [new LeadsApi(settings), new CallsApi(settings)];
  return {
    createLead: async (email) => (await leads.createLead({ email, metadata: null })).data.data,
    getLead: async (id) => (await leads.getLead(id)).data.data,
    qualify: async (id) => (await leads.updateLead(id, { status: "qualified", notes: null })).data.data,
    leads: async (limit, cursor) => {
      const { data, pagination } = (await leads.listLeads(limit, cursor)).data;
      return { rows: data, next: pagination.next_cursor };
    },
    starts: async (link, first, last) => {
      const answer = await new BookingLinksApi(settings).listAvailability(link, day(first), day(last));
      return answer.data.data.slots.map((slot) => slot.start_time);
    },
    book: async (link, start, email) => {
      const guest = { email, name: "Guest" };
      const body = { booking_link_id: link, start_time: start.toISOString(), guest, answers: { field_goal: "More time" } };
      const call = (await calls.createCall(body, "axios-1")).data.data;
      return { ...call, scheduled: call.scheduled_at };
    },
    close: async (id) => (await calls.recordCallOutcome(id, { status: "closed" })).data.data.status,
    pay: async (lead, amount, date) => {
      const body = { lead_id: lead, amount, payment_date: date.toISOString(), status: "succeeded", source: "manual" } as const;
      return (await new PaymentsApi(settings).createPayment(body)).data.data.amount;
    },
    deals: async () => (await new OpportunitiesApi(settings).listOpportunities()).data.data,
  };
});
