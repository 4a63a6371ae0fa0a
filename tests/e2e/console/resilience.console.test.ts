import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type OwnConsoleWorld, startConsoleWorld } from "./console-world.ts";

let world: OwnConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
});
afterAll(() => world?.close());
afterEach(() => world.denyAll());

const write = (name: string) => world.ask("fs.write", { path: name, content: "new\n" });

describe("the console", () => {
  it("says that the server is away, and shows what waits when it is back", async () => {
    const { page } = await world.enter({ view: "inbox" });
    await page.getByText("Nothing waits.").waitFor();
    await world.stop();
    await page.getByText(/not reachable|reconnecting/).waitFor({ timeout: 40_000 });
    await world.restart();
    await write("after.txt");
    await page.getByRole("option", { name: /after\.txt/ }).waitFor({ timeout: 40_000 });
    await page.getByText("healthy").waitFor({ timeout: 40_000 });
  });

  it("shows what waits after the network was away", async () => {
    const { page, context } = await world.enter({ view: "inbox" });
    await page.getByText("Nothing waits.").waitFor();
    await context.setOffline(true);
    await write("offline.txt");
    await page.waitForTimeout(1_000);
    await context.setOffline(false);
    await page.getByRole("option", { name: /offline\.txt/ }).waitFor({ timeout: 30_000 });
  });

  it("goes back to the door when its token is revoked", async () => {
    const { page } = await world.enter({ view: "tools" });
    const name = await page.locator(".caller").innerText();
    const { code } = await world.cli.run(["tokens", "revoke", name]);
    expect(code).toBe(0);
    await page.getByText("Your token is not valid any more").waitFor({ timeout: 60_000 });
    expect(await page.evaluate<string | null>('sessionStorage.getItem("toolgate.token")')).toBeNull();
  });

  it("hands its token to a second tab, and both hear of a question through one stream", async () => {
    const { page, context } = await world.enter({ view: "inbox" });
    const streams: string[] = [];
    context.on("request", (request) => {
      if (request.url().includes("/api/events")) streams.push(request.url());
    });
    const second = await context.newPage();
    await second.goto(`${world.url}/#/inbox`);
    await second.getByText("Nothing waits.").waitFor();
    await write("both.txt");
    await Promise.all(
      [page, second].map((tab) =>
        tab.getByRole("option", { name: /both\.txt/ }).waitFor({ timeout: 30_000 }),
      ),
    );
    expect(streams).toEqual([]);
    // The tab that reads is closed: the other one takes its place.
    await page.close();
    await world.denyAll();
    await write("one.txt");
    await second.getByRole("option", { name: /one\.txt/ }).waitFor({ timeout: 30_000 });
  });

  it("says that a link was used already, and takes the code out of the address", async () => {
    const link = await world.link();
    const { page } = await world.open(link);
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    expect(page.url()).not.toContain("k=");
    const stolen = await world.open(link);
    await stolen.page.getByText("This link was used already.").waitFor();
  });

  it("lets somebody in who pastes a token, and tells a wrong one so", async () => {
    const { page } = await world.open(world.url);
    await page.getByLabel("Or paste a token").fill("x".repeat(43));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("This token is not valid").waitFor();
    await page.getByLabel("Or paste a token").fill(await world.token("reader", ["read"]));
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("navigation", { name: "Views" }).waitFor();
  });

  it("opens the view that a link names by its path", async () => {
    const { page } = await world.enter();
    const { id } = await write("linked.txt");
    await page.goto(`${world.url}/inbox/${id}`);
    await page.getByRole("heading", { name: "fs.write" }).waitFor();
    expect(page.url()).toBe(`${world.url}/#/inbox/${id}`);
  });

  it("keeps view, selection and filters in the address, so that back and reload work", async () => {
    await world.call("fs.read", { path: "notes.txt" });
    await world.call("fs.read", { path: "no-such-file.txt" });
    const { page } = await world.enter({ view: "ledger?q=tool:fs.read" });
    await page.getByRole("option").first().click();
    await page.getByRole("heading", { name: "fs.read" }).waitFor();
    const address = page.url();
    await page.reload();
    await page.getByRole("heading", { name: "fs.read" }).waitFor();
    expect(page.url()).toBe(address);
    expect(await page.getByLabel("Query").inputValue()).toBe("tool:fs.read");
    await page.goBack();
    await page.getByText("Choose a row to see more.").waitFor();
  });
});
