// Tries operations in the Swagger UI of a deployment, as a tester would, and exports what Chromium has sent as a HAR file.
import { chromium } from "playwright-core";

const { BASE_URL, API_KEY, CHROMIUM, HAR } = process.env;
const OPERATIONS = ["GET /v1/leads", "POST /v1/leads", "GET /v1/calls", "GET /v1/opportunities", "GET /v1/payments"];

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ recordHar: { path: HAR, mode: "full", content: "embed" } });
const page = await context.newPage();
await page.goto(`${BASE_URL}/docs`);
await page.locator("button.authorize").first().click();
await page.locator(".auth-container input").fill(API_KEY);
await page.locator(".auth-container button.authorize").click();
await page.locator(".auth-container button.btn-done").click();
for (const [method, path] of OPERATIONS.map((each) => each.split(" "))) {
  const block = page.locator(`.opblock-${method.toLowerCase()}`).filter({ has: page.locator(`[data-path="${path}"]`) });
  await block.locator(".opblock-summary-control").click();
  await block.locator("button.execute").click();
  await block.locator(".live-responses-table").waitFor();
}
await context.close();
await browser.close();
