import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FilledCall, fillStore } from "../../suggest/fill-store.ts";
import { type ConsoleWorld, looks, startConsoleWorld } from "./console-world.ts";
import { findBarriers, findOverflow, takePicture } from "./look-at.ts";

const rules = `
tools: { enabled_categories: [editing, shell] }
policies:
  ask-first: { tools: [Bash, Edit], action: ask, priority: -10 }
  lint-passes:
    tools: Bash
    action: approve
    mode: shadow
    conditions:
      - { type: command, operator: equals, value: npm run lint }
`;
const names = "cart order price stock user mail theme list".split(" ");
const sh = (command: string): FilledCall => ({ tool: "Bash", input: { command } });
const session = (turn: number): FilledCall[] => [
  sh(`npx vitest run tests/${names[turn % names.length]}.test.ts`),
  sh("npm run lint"),
  sh("make deploy"),
];

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld(rules);
  const stateFolder = join(world.cli.folder, "home/.local/state/toolgate");
  mkdirSync(stateFolder, { recursive: true });
  await fillStore({
    stateFolder,
    workspace: world.cli.project,
    policies: [
      { name: "ask-first", tools: ["Bash", "Edit"], action: "ask", priority: -10 },
      {
        name: "lint-passes",
        tools: "Bash",
        action: "approve",
        mode: "shadow",
        conditions: [{ type: "command", operator: "equals", value: "npm run lint" }],
      },
    ],
    days: Array.from({ length: 12 }, (_, index) => ({
      daysAgo: 13 - index,
      sessions: [session(index), session(index + 3)],
    })),
    answer: ({ input }) =>
      input.command === "make deploy" ? { decision: "deny", reason: "I deploy." } : { decision: "approve" },
  });
});
afterAll(() => world?.close());

describe.each([looks[0], looks[3]])("the page of suggestions, $look", ({ look, ...screen }) => {
  it("says what all rules would have saved, and shows each with its proof and its text", async () => {
    const { page } = await world.enter({ view: "suggestions", ...screen });
    await page.getByText(/2 rules would have saved 48 of 72 questions/).waitFor({ timeout: 30_000 });
    await page.getByText("would have answered 24, people agreed 24").waitFor();
    await takePicture(page, `suggestions-list-${look}`);
    const barriers = await findBarriers(page);
    await page.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first().click();
    await page.getByRole("heading", { name: "What speaks for it" }).waitFor();
    await page.getByRole("button", { name: "Copy as YAML" }).waitFor();
    expect(await page.getByRole("region", { name: "The rule" }).textContent()).toContain("action: approve");
    await takePicture(page, `suggestions-one-${look}`);
    expect([...barriers, ...(await findBarriers(page))]).toEqual([]);
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  });
});

it("Always… ranks how far a rule could reach for the call that waits", async () => {
  const waiting = await world.ask("shell.exec", { command: "npm run lint" });
  const { page } = await world.enter({ view: `inbox/${waiting.id}` });
  await page.getByRole("button", { name: /Always/ }).click({ timeout: 20_000 });
  await page.getByRole("heading", { name: "As a rule in a file instead" }).waitFor();
  await page.getByText(/this very call: asked 24 times, approved 24, denied 0/).waitFor({ timeout: 30_000 });
  await takePicture(page, "inbox-always");
  expect(await findBarriers(page)).toEqual([]);
});
