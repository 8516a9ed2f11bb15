// Milliseconds from the request for a page to its first text, in Chromium and without a network: node timing.mjs CHROMIUM PAGE...
import { chromium } from "playwright-core";

const [executablePath, ...pages] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
for (const address of pages) {
  const page = await (await browser.newContext({ offline: true })).newPage();
  await page.goto(address, { waitUntil: "load" });
  const paints = () => performance.getEntriesByName("first-contentful-paint").map((entry) => entry.startTime);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  console.log(Math.round((await page.evaluate(paints))[0]));
}
await browser.close();
