import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScriptedModel, type ScriptedModel } from "../../../src/testing/scripted-model.ts";
import { consoleRules } from "./console-server.ts";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";
import { takePicture } from "./look-at.ts";

/** Together more than two thousand items, each call with its result. */
const [steps, callsEach] = [20, 50];

let world: ConsoleWorld;
let model: ScriptedModel;
beforeAll(async () => {
  model = await createScriptedModel({
    script: [
      {
        text: "I will **look** first, then write.\n\n- one\n- two\n\n<img src=x onerror='window.hacked=1'> [a page](https://example.com/x)",
        calls: [{ tool: "fs_read", input: { path: "notes.txt" } }],
      },
      { text: "", calls: [{ tool: "fs_write", input: { path: "made.txt", content: "by an agent\n" } }] },
      "Done: `made.txt` is there.",
      "You are welcome.",
      (_request, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
      "Back again.",
      ...Array.from({ length: steps }, (_, step) => ({
        text: `Step ${step}.`,
        calls: Array.from({ length: callsEach }, () => ({ tool: "fs_read", input: { path: "notes.txt" } })),
      })),
      `${"Many words come at the end. ".repeat(400)}That was all.`,
    ],
  });
  world = await startConsoleWorld(
    `${consoleRules}sessions:\n  default_runner: local\n  runners:\n    local: { type: chat, api: anthropic, base_url: '${model.url}', model: scripted, key_env: MODEL_KEY }\n`,
    { MODEL_KEY: "none" },
  );
});
afterAll(async () => {
  await world?.close();
  await model?.close();
});

describe("a session in the console", () => {
  it("is started, asks, is answered, goes on, is cancelled and resumed", async () => {
    const { page } = await world.enter({ admin: true, view: "sessions" });
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("What should it do?").fill("Write a file.");
    await page.getByRole("button", { name: "Start" }).click();
    const log = page.getByRole("log", { name: "Conversation" });
    await log.getByText("I will look first, then write.").waitFor();
    expect(await log.locator("strong", { hasText: "look" }).count()).toBe(1);
    expect(await log.getByRole("link", { name: "a page" }).getAttribute("rel")).toBe("noopener noreferrer");
    await log.getByText("(example.com)").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    await log.locator(".tool-card", { hasText: "fs.read" }).getByText("allowed").waitFor();

    await log.getByText("Look and answer").waitFor();
    await takePicture(page, "session-waits");
    await log.getByText("Look and answer").click();
    await page.getByRole("heading", { name: "fs.write" }).waitFor();
    await page.getByRole("button", { name: /Approve once/ }).click();
    await page.getByText(/^Approved by/).waitFor();
    await page.goBack();
    await log.getByText("Done: made.txt is there.").waitFor();
    const made = join(world.cli.project, "made.txt");
    expect(existsSync(made) && readFileSync(made, "utf8")).toBe("by an agent\n");

    const say = page.getByLabel("Message to the agent");
    await say.fill("Thanks.");
    await say.press("Control+Enter");
    await log.getByText("You are welcome.").waitFor();
    await takePicture(page, "session");

    await say.fill("Think for ever.");
    await say.press("Control+Enter");
    await page.getByRole("button", { name: "Cancel" }).click();
    await log.getByText(/cancelled by/).waitFor();
    await say.fill("Come back.");
    await page.getByRole("button", { name: /Resume|Send/ }).click();
    await log.getByText("Back again.").waitFor();

    await page.reload();
    await log.getByText("Back again.").waitFor();
    expect(await log.getByText("You are welcome.").count()).toBe(1);
  });

  it("with thousands of items shows the last of them at once, and the others when they are asked for", async () => {
    const { page } = await world.enter({ admin: true, view: "sessions/~new" });
    await page.getByLabel("What should it do?").fill("Read a lot.");
    await page.getByRole("button", { name: "Start" }).click();
    const log = page.getByRole("log", { name: "Conversation" });
    await log.getByText("That was all.").waitFor({ timeout: 120_000 });
    await page.reload();
    await log.getByText("That was all.").waitFor();
    const cards = () => log.locator(".tool-card").count();
    expect(await cards()).toBeLessThan(600);
    const took = await page.evaluate<number>(`new Promise((resolve) => {
      const began = performance.now();
      document.querySelector(".earlier").click();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    })`);
    console.info(`earlier items: ${Math.round(took)} ms`);
    while ((await page.getByRole("button", { name: /Show earlier/ }).count()) > 0)
      await page.getByRole("button", { name: /Show earlier/ }).click();
    expect(await cards()).toBe(steps * callsEach);
  });
});
