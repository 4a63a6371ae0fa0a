import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world?.close());

describe("coming in", () => {
  it("shows the overview within two seconds after a link was opened", async () => {
    const page = await (await world.browser.newContext({ locale: "en-GB" })).newPage();
    const link = await world.link();
    const start = performance.now();
    await page.goto(link);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(page.url()).not.toContain("k=");
  });
});
