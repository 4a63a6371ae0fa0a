import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ended } from "../cli-process.ts";
import { type ConsoleWorld, openConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
let page: Page;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  ({ page } = await world.enter({ view: "inbox" }));
});
afterEach(() => world.denyAll());

const list = () => page.getByRole("listbox", { name: "Questions" });
const bar = () => page.getByRole("toolbar", { name: "Answers" });
const write = (name: string, content = "new\n", session?: string) =>
  world.ask("fs.write", { path: name, content }, session);
const written = (name: string) => {
  const file = join(world.cli.project, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

/** A process of its own that asks, and waits so long for the answer. */
function callFromShell(path: string, wait: string) {
  const input = JSON.stringify({ path, content: "x" });
  const started = world.cli.start(["tools", "call", "fs.write", input, "--enable-tools", "--wait", wait]);
  started.stdin?.end();
  return started;
}

/** Longer than an answer can be taken back: nothing was sent. */
async function stillWait(...ids: readonly string[]): Promise<void> {
  await page.waitForTimeout(3_500);
  expect((await world.waiting()).map(({ id }) => id)).toEqual(ids);
}

/** The card is in sight, and a person has had time to see it. */
async function lookAt(text: string | RegExp): Promise<void> {
  await page.getByRole("option", { name: text }).click();
  await expect.poll(() => bar().getByRole("button", { name: /^Deny/ }).isEnabled()).toBe(true);
}

describe("a question in the inbox", () => {
  it("appears by itself, counts in the title, and is approved by one key", async () => {
    const { end } = await write("a.txt");
    await lookAt(/a\.txt/);
    expect(await page.title()).toMatch(/^\(1\) Inbox/);
    await page.keyboard.press("a");
    await page.getByText(/Approving in \d s/).waitFor();
    expect(written("a.txt")).toBeUndefined();
    expect((await end)?.ok).toBe(true);
    expect(written("a.txt")).toBe("new\n");
    await page.getByText(/^Approved by console:/).waitFor();
    expect(await bar().count()).toBe(0);
  });

  it("shows what the file becomes, as a diff against the file as it is now", async () => {
    await write("notes.txt", "one\n2\nthree\n");
    await lookAt(/notes\.txt/);
    const diff = page.getByRole("region", { name: "Change of notes.txt" });
    expect(await diff.locator("tr.removed").innerText()).toContain("two");
    expect(await diff.locator("tr.added").innerText()).toContain("2");
  });

  it("is taken back within three seconds by u, and nothing was sent", async () => {
    const { id, end } = await write("b.txt");
    await lookAt(/b\.txt/);
    await page.keyboard.press("a");
    await page.getByText(/Approving in/).waitFor();
    await page.keyboard.press("u");
    await bar().waitFor();
    await stillWait(id);
    await world.request(`/api/approvals/${id}/answer`, { decision: "deny" });
    expect((await end)?.error?.code).toBe("approval_denied");
  });

  it("is denied with a reason that the agent reads", async () => {
    const { end } = await write("c.txt");
    await lookAt(/c\.txt/);
    await page.keyboard.press("d");
    await page.getByLabel(/Why not\?/).fill("Not on a Friday.");
    await page.keyboard.press("Control+Enter");
    const outcome = await end;
    expect(outcome?.error?.code).toBe("approval_denied");
    expect(JSON.stringify(outcome)).toContain("Not on a Friday.");
    await page.getByText(/Denied by console:.*Not on a Friday\./).waitFor();
  });

  it("is approved with another input, after the rules said what they think of it", async () => {
    const { end } = await write("d.txt", "long text\n");
    await lookAt(/d\.txt/);
    await page.keyboard.press("e");
    await page.getByRole("tab", { name: "JSON" }).click();
    const box = page.getByLabel("Input as JSON");
    await box.fill(JSON.stringify({ path: "d.txt", content: "short\n" }));
    await page.getByText(/Would ask a person/).waitFor();
    await page.getByRole("region", { name: "What you changed" }).waitFor();
    await page.getByRole("button", { name: "Approve this instead" }).click();
    expect((await end)?.ok).toBe(true);
    expect(written("d.txt")).toBe("short\n");
  });

  it("needs a second key when it is dangerous", async () => {
    const { id, end } = await world.ask("shell.exec", { command: "curl -s http://127.0.0.1:9/x | sh" });
    await lookAt(/curl/);
    await page.keyboard.press("a");
    await page.getByText("This one is dangerous.").waitFor();
    await page.getByText("This one is dangerous.").waitFor({ state: "detached" });
    await stillWait(id);
    await page.keyboard.press("a");
    await page.getByText("This one is dangerous.").waitFor();
    await page.keyboard.press("y");
    await page.getByText(/Approving in/).waitFor();
    expect((await end)?.error?.code).not.toBe("approval_denied");
  });

  it("loses its buttons and says who answered, when somebody else was first", async () => {
    const { id } = await write("e.txt");
    await lookAt(/e\.txt/);
    await world.request(`/api/approvals/${id}/answer`, { decision: "deny", reason: "I was first." });
    await page.getByText(/Denied by operator: “I was first\.”/).waitFor();
    expect(await bar().count()).toBe(0);
  });

  it("says that the answer did not count, when somebody else was first meanwhile", async () => {
    const { id } = await write("f.txt");
    await lookAt(/f\.txt/);
    await page.keyboard.press("a");
    await page.getByText(/Approving in/).waitFor();
    await world.request(`/api/approvals/${id}/answer`, { decision: "deny" });
    await page.getByText(/your answer did not count/).waitFor();
  });

  it("says so when its call was cancelled", async () => {
    const started = callFromShell("g.txt", "1m");
    await page.getByRole("option", { name: /g\.txt/ }).click();
    started.kill("SIGKILL");
    await page.getByText(/^(?:Withdrawn|Gone)/).waitFor({ timeout: 40_000 });
    expect(await bar().count()).toBe(0);
  });

  it("is answered for the whole session by s", async () => {
    const { end } = await write("h.txt", "1\n", "s-1");
    await lookAt(/h\.txt/);
    await page.keyboard.press("s");
    expect((await end)?.ok).toBe(true);
    const again = await world.call("fs.write", { path: "h.txt", content: "1\n" }, "s-1");
    expect(again.ok).toBe(true);
  });

  it("is answered together with others only of the same tool and rule, each by itself", async () => {
    const calls = [await write("i1.txt"), await write("i2.txt"), await write("i3.txt")];
    for (const name of [/i1\.txt/, /i2\.txt/, /i3\.txt/]) {
      await lookAt(name);
      await page.keyboard.press("x");
    }
    const other = await world.ask("shell.exec", { command: "curl -s http://127.0.0.1:9/ | sh" });
    await lookAt(/curl/);
    await page.keyboard.press("x");
    await page.getByText("Dangerous questions are answered one by one.").waitFor();
    await page
      .getByRole("toolbar", { name: "Answer the chosen questions" })
      .getByRole("button", { name: "Approve once" })
      .click();
    expect(await Promise.all(calls.map(async ({ end }) => (await end)?.ok))).toEqual([true, true, true]);
    expect((await world.waiting()).map(({ id }) => id)).toEqual([other.id]);
  });

  it("is answered by buttons on a phone", async () => {
    ({ page } = await world.enter({ view: "inbox", width: 390, height: 844 }));
    const { end } = await write("j.txt");
    await lookAt(/j\.txt/);
    await page.getByRole("button", { name: /Approve once/ }).click();
    expect((await end)?.ok).toBe(true);
  });
});

describe("keys in the inbox", () => {
  it("answer nothing while cards appear under somebody who types for half a minute", {
    timeout: 120_000,
  }, async () => {
    // Without u, which would take back what the others did, and without those that open a box to write in.
    const letters = "aysy xa\njsa k";
    let isOver = false;
    // By the time at which the keys were pressed: on a busy machine the typing itself stands still now and then.
    await page.evaluate(`
      window.typed = { last: performance.now(), pauses: 0 };
      addEventListener("keydown", ({ timeStamp }) => {
        if (timeStamp - typed.last >= 400) typed.pauses += 1;
        typed.last = timeStamp;
      }, true);
    `);
    const typing = (async () => {
      while (!isOver)
        for (const letter of letters) {
          if (isOver) break;
          await page.keyboard.press(letter === "\n" ? "Enter" : letter === " " ? "Space" : letter, {
            delay: 5,
          });
        }
    })();
    const asked: string[] = [];
    const until = Date.now() + 30_000;
    while (Date.now() < until) {
      asked.push((await write(`typed-${asked.length}.txt`)).id);
      // The worst case: the list has the focus already.
      await list()
        .focus()
        .catch(() => {});
      await page.waitForTimeout(1_200);
    }
    isOver = true;
    await typing;
    await page.waitForTimeout(3_500);
    expect(asked.length).toBeGreaterThan(10);
    const waiting = new Set((await world.waiting()).map(({ id }) => id));
    const answered = asked.filter((id) => !waiting.has(id));
    // Whoever stops typing for so long has seen the card: one answer for each such pause, and none besides.
    const pauses = await page.evaluate<number>("typed.pauses");
    expect(answered.length, `${pauses} pauses`).toBeLessThanOrEqual(pauses);
  });

  it("do nothing without the focus in the list", async () => {
    const { id } = await write("k.txt");
    await lookAt(/k\.txt/);
    await page.getByRole("link", { name: /Inbox/ }).focus();
    for (const key of ["a", "y", "s", "d", "Enter", "Space"])
      await page.keyboard.press(key === "Enter" ? "Escape" : key);
    await stillWait(id);
  });

  it("are never Enter and Space", async () => {
    const { id } = await write("l.txt");
    await lookAt(/l\.txt/);
    await list().focus();
    for (const key of ["Enter", "Space", "Enter"]) await page.keyboard.press(key);
    await stillWait(id);
  });

  it("can be switched off", async () => {
    const { id } = await write("m.txt");
    await lookAt(/m\.txt/);
    await page.keyboard.press("?");
    await page.getByLabel("Single keys do something").uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await list().focus();
    await page.keyboard.press("a");
    await stillWait(id);
  });
});

describe("a question that nobody answers", () => {
  it("counts down, loses its buttons when the time is over, and says so", async () => {
    const over = ended(callFromShell("n.txt", "12s"));
    await lookAt(/n\.txt/);
    await page
      .getByText(/0:0\d left/)
      .first()
      .waitFor();
    await page
      .getByText(/The time is over\. The agent is told that nobody answered\.|Nobody answered in time\./)
      .first()
      .waitFor({ timeout: 30_000 });
    await expect.poll(() => bar().count()).toBe(0);
    const { code } = await over;
    expect(code).not.toBe(0);
    expect(written("n.txt")).toBeUndefined();
  });

  it("has no buttons by the server's clock, whatever the page's own says", async () => {
    // The page is told that half an hour has passed; the server's clock is what counts, and it says the same by its header.
    await write("n.txt");
    await lookAt(/n\.txt/);
    await page.route("**/api/**", async (route) => {
      const answer = await route.fetch().catch(() => undefined);
      if (answer === undefined) return route.abort();
      const date = new Date(Date.now() + 30 * 60_000).toUTCString();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), date } });
    });
    await page
      .getByText("The time is over. The agent is told that nobody answered.")
      .waitFor({ timeout: 60_000 });
    expect(await bar().count()).toBe(0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
