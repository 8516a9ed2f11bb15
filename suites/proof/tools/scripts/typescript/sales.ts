// What every TypeScript client is tried with: ten calls of the reference deployment, then answers with null everywhere and with all
// that the document allows and a generator may forget. Each client is wrapped as `Sales`, which its own types have to fit.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Lead {
  id: string;
  email?: string | null;
  status?: string | null;
  surprise?: unknown;
}
export interface Sales {
  createLead(email: string): Promise<Lead>;
  getLead(id: string): Promise<Lead>;
  qualify(id: string): Promise<Lead>;
  leads(limit: number, cursor?: string): Promise<{ rows: Lead[]; next?: string | null }>;
  starts(link: string, first: Date, last: Date): Promise<number[]>;
  book(link: string, start: Date, email: string): Promise<{ id: string; ai_summary?: string | null; scheduled?: string | Date | null }>;
  close(id: string): Promise<string | null | undefined>;
  pay(lead: string, amount: number, date: Date): Promise<number | null | undefined>;
  deals(): Promise<{ id: string }[]>;
}
export type Make = (base: string, key: string) => Sales;

const ID = "7f1c2d9e-4b58-4c1a-9d3e-2a6f0b8c5e71";
const FAR = Date.UTC(2100, 0, 1);
const ANSWERS: Record<string, string> = {
  "POST /v1/leads": "LeadResponse",
  "GET /v1/leads/": "LeadResponse",
  "PATCH /v1/leads/": "LeadResponse",
  "GET /v1/leads": "LeadList",
  "GET /v1/booking-links/": "AvailabilityResponse",
  "POST /v1/calls": "CallResponse",
  "POST /v1/calls/": "CallResponse",
  "POST /v1/payments": "PaymentResponse",
  "GET /v1/opportunities": "OpportunityList",
};

function holds(what: boolean, text: string): void {
  if (!what) throw new Error(text);
}

async function tenCalls(sales: Sales, name: string): Promise<void> {
  const link = process.env.BOOKING_LINK as string;
  const email = `${name}@example.com`;
  const lead = await sales.createLead(email);
  holds((await sales.getLead(lead.id)).email === email, "the lead is another one");
  holds((await sales.qualify(lead.id)).status === "qualified", "the lead is not qualified");
  const page = await sales.leads(1);
  holds(page.rows.length === 1 && Boolean(page.next), "the first page has no successor");
  await sales.leads(1, page.next as string);
  const starts = await sales.starts(link, new Date(), new Date(Date.now() + 14 * 86_400_000));
  const call = await sales.book(link, new Date((starts.at(-1) as number) * 1000), `guest.${email}`);
  holds(call.ai_summary === null, "a fresh call has a summary");
  holds((await sales.close(call.id)) === "closed", "the call is not closed");
  holds((await sales.pay(lead.id, 12.5, new Date())) === 12.5, "the amount is another one");
  holds((await sales.deals()).length > 0, "there is no opportunity");
}

async function read(sales: Sales, surprising: boolean): Promise<void> {
  const lead = await sales.getLead(ID);
  holds(surprising ? lead.surprise === 1 : lead.email == null, "a lead is read wrongly");
  holds(!surprising || lead.status === "unheard-of", "an unknown status is lost");
  await sales.createLead("ada@example.com");
  await sales.qualify(ID);
  holds((await sales.leads(1)).rows.length === 1, "a row is lost");
  const [start] = await sales.starts(ID, new Date(), new Date());
  holds(!surprising || start * 1000 === FAR, "a slot in 2100 is read wrongly");
  const { scheduled } = await sales.book(ID, new Date(), "ada@example.com");
  holds(surprising ? new Date(scheduled as string | Date).getTime() === FAR : scheduled == null, "a time is read wrongly");
  await sales.close(ID);
  await sales.pay(ID, 1, new Date());
  holds((await sales.deals()).length === 1, "an opportunity is lost");
}

async function withAnswers(file: string, probe: (base: string) => Promise<void>): Promise<void> {
  const samples = JSON.parse(readFileSync(file, "utf-8"));
  const server = createServer((request, response) => {
    const path = (request.url as string).split("?")[0];
    const inner = path.replace(/^(\/v1\/[a-z-]+\/).*/, "$1");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(samples[ANSWERS[`${request.method} ${inner}`]]));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  await probe(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
}

export async function tried(name: string, make: Make): Promise<void> {
  await tenCalls(make(process.env.BASE_URL as string, process.env.API_KEY as string), name);
  for (const file of ["nulls.json", "surprises.json"]) {
    await withAnswers(file, (base) => read(make(base, "key"), file === "surprises.json"));
  }
  console.log(`${name}: 10 calls, nulls and surprises read`);
}
