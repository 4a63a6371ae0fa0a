import { afterAll, beforeAll, describe, it } from "vitest";
import { createScriptedModel, type ScriptedModel } from "../../../src/testing/scripted-model.ts";
import { consoleRules } from "./console-server.ts";
import { type ConsoleWorld, startConsoleWorld } from "./console-world.ts";

let world: ConsoleWorld;
let model: ScriptedModel;
beforeAll(async () => {
  model = await createScriptedModel({
    script: [`Marks: ${"*a ".repeat(20_000)}`, `Quotes: x\n\n${">".repeat(20_000)}`, "Still here."],
  });
  const runner = `{ type: chat, api: anthropic, base_url: '${model.url}', model: scripted, key_env: MODEL_KEY }`;
  world = await startConsoleWorld(
    `${consoleRules}sessions:\n  default_runner: local\n  runners:\n    local: ${runner}\n`,
    { MODEL_KEY: "none" },
  );
});
afterAll(async () => {
  await world?.close();
  await model?.close();
});

describe("the page", () => {
  it("goes on where an agent's message has marks without an end, or quotes without a bottom", async () => {
    const { page } = await world.enter({ admin: true, view: "sessions" });
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("What should it do?").fill("Talk.");
    await page.getByRole("button", { name: "Start" }).click();
    const log = page.getByRole("log", { name: "Conversation" });
    await log.getByText("Marks:").waitFor();
    for (const [said, answer] of [
      ["More.", "Quotes:"],
      ["And?", "Still here."],
    ] as const) {
      await page.getByLabel("Message to the agent").fill(said);
      await page.getByRole("button", { name: "Send" }).click();
      await log.getByText(answer).waitFor();
    }
    await page.reload();
    await log.getByText("Still here.").waitFor();
  });

  it("stays where an address holds what is no encoding", async () => {
    const { page } = await world.enter({ view: "inbox" });
    for (const view of ["inbox", "ledger", "tools", "rules", "sessions", "upstreams"]) {
      await page.goto(`${world.url}/#/${view}/%`);
      await page.reload();
      await page.getByRole("navigation").first().waitFor();
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
  });
});
