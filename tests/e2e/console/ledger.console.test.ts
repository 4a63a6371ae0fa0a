import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./browser.ts";
import { type BusyServer, startBusyServer } from "./start-busy-server.ts";

/** A million is asked for by TOOLGATE_LEDGER_ROWS=1000000. */
const rows = Number(process.env.TOOLGATE_LEDGER_ROWS ?? 100_000);
const timeout = 120_000 + rows / 2;

let busy: BusyServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  [busy, browser] = await Promise.all([startBusyServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await busy?.close();
});

/** Milliseconds from the click until every row that is drawn holds the text, as the page itself counts them. */
function timeTo(page: Page, address: string, text: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const began = performance.now();
    location.hash = ${JSON.stringify(address)};
    const look = () => {
      const drawn = [...document.querySelectorAll('[aria-label="Records"] [role="option"]')];
      if (drawn.length > 5 && drawn.every((row) => row.textContent.includes(${JSON.stringify(text)})))
        resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
}

describe("the ledger in the console", () => {
  it(`shows the first page and a filtered one of ${rows.toLocaleString("en-GB")} rows in 300 ms each`, {
    timeout,
  }, async () => {
    const { refused } = await busy.fill(rows);
    expect(refused).toBe(rows / 250);
    const page = await browser.newPage();
    await page.goto(await busy.link());
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    const times: { first: number; filtered: number; rare: number }[] = [];
    const best = (of: keyof (typeof times)[number]) => Math.round(Math.min(...times.map((one) => one[of])));
    // The best of a few: others use the same cores.
    for (let round = 0; round < 10 && (best("first") >= 300 || best("filtered") >= 300); round += 1) {
      await page.goto(`${busy.url}/#/rules`);
      // What a reading tab has kept would be no measure.
      await page.reload();
      await page.getByRole("listbox", { name: "Rules" }).waitFor();
      times.push({
        first: await timeTo(page, "#/ledger", "math.add"),
        filtered: await timeTo(page, "#/ledger?q=verdict:deny", "refused"),
        rare: await timeTo(page, "#/ledger?q=by:agent-1", "agent-1"),
      });
    }
    console.info(
      `ledger of ${rows}: ${JSON.stringify(times.map((one) => Object.values(one).map(Math.round)))}`,
    );
    expect(best("first")).toBeLessThan(300);
    expect(best("filtered")).toBeLessThan(300);
  });
});
