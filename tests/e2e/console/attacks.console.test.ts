import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world?.close());

const evil = [
  '<img src=x onerror="window.hacked=1">',
  "<script>window.hacked=1</script>",
  "<svg/onload=window.hacked=1>",
  "javascript:window.hacked=1",
  "\u202E\u2066reversed\u2069\u200B\u0000\u001B[31m",
  "{{constructor.constructor('window.hacked=1')()}}",
].join(" ");

describe("text of tools and agents", () => {
  it("is shown as text in every view, and nothing of it runs", async () => {
    writeFileSync(join(world.cli.project, "evil.txt"), `${evil}\n`);
    await world.call("fs.read", { path: "evil.txt" }, evil.slice(0, 100));
    await world.ask("fs.read", { path: `${evil}.txt` });
    await world.call("shell.exec", { command: `git push --force ${evil}` });
    await world.ask("shell.exec", { command: `printf '%s' '${evil}'` });
    await world.ask("fs.write", { path: "evil.txt", content: `${evil}\n<b>bold</b>\n` }, "<i>session</i>");
    const { page } = await world.enter({ admin: true });
    for (const view of ["inbox", "ledger", "live", "overview", "tools", "rules", "tokens"]) {
      await page.goto(`${world.url}/#/${view}`);
      await page.waitForTimeout(300);
      const options = page.getByRole("option");
      for (let index = 0; index < Math.min(4, await options.count()); index += 1) {
        await options.nth(index).click();
        await page.waitForTimeout(200);
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      }
      expect(await page.locator("img, iframe, object, embed").count(), view).toBe(0);
      expect(await page.evaluate("window.hacked"), view).toBeUndefined();
    }
    await page.goto(`${world.url}/#/inbox`);
    await page.getByRole("option", { name: /printf/ }).click();
    expect(await page.locator(".command-line .unseen").allInnerTexts()).toEqual(
      expect.arrayContaining(["U+202E", "U+2066", "U+200B", "U+001B"]),
    );
    await world.denyAll();
  });

  it("of a million characters is cut, and cannot be approved before it was opened", {
    timeout: 60_000,
  }, async () => {
    const { end } = await world
      .ask("shell.exec", { command: `echo ${"a".repeat(1_000_000)}` })
      .catch(() => ({ end: undefined }));
    const { page } = await world.enter({ view: "inbox" });
    if (end !== undefined) {
      await page.getByRole("option").first().click();
      await page
        .getByRole("button", { name: /show .* more characters/ })
        .first()
        .waitFor();
      await page.waitForTimeout(600);
      expect(await page.getByRole("button", { name: /Approve once/ }).isEnabled()).toBe(false);
      await page
        .getByRole("button", { name: /show .* more characters/ })
        .first()
        .click();
      await expect
        .poll(() => page.getByRole("button", { name: /Approve once/ }).isEnabled(), { timeout: 30_000 })
        .toBe(true);
    }
    await world.denyAll();
  });
});

describe("pages of others", () => {
  it("cannot put the console into a frame, nor ask it for anything", async () => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><iframe src="${world.url}/"></iframe>`);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const context = await world.browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForTimeout(1_000);
    const framed = page.frames().find((frame) => frame.parentFrame() !== null);
    expect(await framed?.locator("#app").count()).toBe(0);
    const asked = await page.evaluate<string>(
      `fetch("${world.url}/api/console/login", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).then((answer) => String(answer.status), () => "refused")`,
    );
    expect(asked).toBe("refused");
    server.close();
  });
});
