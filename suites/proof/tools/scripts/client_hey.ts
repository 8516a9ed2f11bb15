// A client of hey-api that does the tasks of `plumbline client`.
import * as sales from "./hey";
import { type Client, createClient } from "./hey/client";

declare const process: { stdin: AsyncIterable<Uint8Array>; stdout: { write(text: string): void } };

type Values = Record<string, any>;
type Answer = { data?: any; error?: any; response?: Response };
type Task = { id: string; task: string; base_url: string; api_key: string; arguments: Values };

const DAY = 86_400_000;
const day = (time: number) => new Date(time).toISOString().slice(0, 10);

class ServiceError extends Error {
  constructor(readonly status: number, readonly code: unknown) {
    super(`${status} ${code}`);
  }
}

async function ask(asked: Promise<Answer>): Promise<any> {
  const { data, error, response } = await asked;
  if (error === undefined) return data;
  if (!response) throw error;
  throw new ServiceError(response.status, error?.code);
}

async function rows(list: (options: Values) => Promise<Answer>, query: Values): Promise<Values[]> {
  const read: Values[] = [];
  for (let page; !page || page.pagination.has_more; read.push(...page.data)) {
    const cursor = page?.pagination.next_cursor;
    page = await ask(list({ query: cursor === undefined ? query : { ...query, cursor } }));
  }
  return read;
}

function tasks(client: Client): Record<string, (given: Values) => Promise<Values>> {
  const list = {
    leads: (options: Values) => sales.listLeads({ client, ...options }),
    calls: (options: Values) => sales.listCalls({ client, ...options }),
    payments: (options: Values) => sales.listPayments({ client, ...options }),
    deals: (options: Values) => sales.listOpportunities({ client, ...options }),
  };
  const ids = async (of: keyof typeof list, query: Values) => (await rows(list[of], query)).map((row) => row.id);
  const lead = async (id: string) => (await ask(sales.getLead({ client, path: { id } }))).data;
  const change = async (id: string, body: Values) => ({
    id: (await ask(sales.updateLead({ client, path: { id }, body }))).data.id,
  });
  const moment = (call: Values) => ({ id: call.id, scheduled_at: call.scheduled_at });
  return {
    async get_lead({ lead_id }) {
      const { id, email, total_paid_cents: cents } = await lead(lead_id);
      return { id, email, total_paid: cents == null ? null : cents / 100 };
    },
    async create_lead(body) {
      return { id: (await ask(sales.createLead({ client, body: body as any }))).data.id };
    },
    update_lead: ({ lead_id, changes }) => change(lead_id, changes),
    async add_note({ lead_id, content }) {
      const earlier = (await lead(lead_id)).notes ?? [];
      return change(lead_id, { notes: [...earlier, { content, created_at: new Date().toISOString() }] });
    },
    list_leads: async ({ page_size: limit }) => ({ ids: await ids("leads", { limit }) }),
    list_payments: async ({ page_size }) => ({ ids: await ids("payments", { limit: Math.min(page_size ?? 100, 100) }) }),
    list_calls: async (filters) => ({ ids: await ids("calls", filters) }),
    list_opportunities: async (filters) => ({ ids: await ids("deals", filters) }),
    async get_call({ call_id, lead_id }) {
      return moment((await rows(list.calls, { lead_id })).find(({ id }) => id === call_id)!);
    },
    async find_slots({ booking_link_id: id, start_date, end_date }) {
      const slots = [];
      const last = Date.parse(end_date);
      for (let first = Date.parse(start_date); first <= last; first += 30 * DAY) {
        const query = { start_date: day(first), end_date: day(Math.min(last, first + 29 * DAY)) };
        slots.push(...(await ask(sales.listAvailability({ client, path: { id }, query }))).data.slots);
      }
      return { slots: slots.map((slot) => ({ start: new Date(slot.start_time * 1000).toISOString() })) };
    },
    async book_call(body) {
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      return moment((await ask(sales.createCall({ client, body: body as any, headers }))).data);
    },
    async set_call_status({ call_id, status }) {
      const path = { id: call_id };
      const asked =
        status === "unfit"
          ? sales.updateCall({ client, path, body: { status } })
          : sales.recordCallOutcome({ client, path, body: { status } });
      return { id: (await ask(asked)).data.id };
    },
    async reschedule_call({ call_id, scheduled_at }) {
      return moment((await ask(sales.rescheduleCall({ client, path: { id: call_id }, body: { scheduled_at } }))).data);
    },
    async record_payment(paid) {
      const body = { ...paid, amount: Number(paid.amount) } as any;
      const { id, amount } = (await ask(sales.createPayment({ client, body }))).data;
      return { id, amount };
    },
    async graphql({ query }) {
      const { data, errors } = await ask(sales.runGraphQl({ client, body: { query } }));
      const fields: any[] = Object.values(data ?? {});
      if (errors?.length || fields.some((field) => field?.userErrors?.length)) throw new ServiceError(200, null);
      return { data };
    },
    sync_after_outage: async () => ({
      lead_ids: await ids("leads", {}),
      call_ids: await ids("calls", {}),
      payment_ids: await ids("payments", {}),
    }),
  };
}

async function reply(task: Task): Promise<void> {
  const client = createClient({ baseUrl: task.base_url, auth: task.api_key });
  let done: Values;
  try {
    const act = tasks(client)[task.task];
    done = act ? { result: await act(task.arguments) } : { unsupported: true };
  } catch (error: any) {
    const { status, code } = error;
    done =
      error instanceof ServiceError
        ? { error: { kind: "service", status, code } }
        : { error: { kind: "transport", message: String(error) } };
  }
  process.stdout.write(`${JSON.stringify({ id: task.id, ...done })}\n`);
}

async function speak(): Promise<void> {
  let text = "";
  for await (const part of process.stdin) {
    const lines = (text + new TextDecoder().decode(part)).split("\n");
    text = lines.pop()!;
    for (const line of lines) void reply(JSON.parse(line));
  }
}

void speak();
