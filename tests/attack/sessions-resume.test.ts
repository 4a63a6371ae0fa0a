/** What was accepted to go on with a session that has ended is worked on, unless somebody cancels it again. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../../src/gate/create-gate.ts";
import { createSessions, type Sessions } from "../../src/sessions/create-sessions.ts";
import { scriptedRunner } from "../unit/sessions/scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };

async function world() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "resume-")));
  const gate = await createGate({ roots: [folder] });
  const runner = scriptedRunner(async ({ prompt, signal }) => {
    if (prompt === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "done";
  });
  const sessions = await createSessions(gate, { runners: [runner], roots: [folder], maxRunning: 1 });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
  });
  const start = async (prompt: string, single = false) => {
    const started = await sessions.start({ prompt, single, mode: "plan" }, ann);
    return started.ok ? started.session.id : "";
  };
  return { sessions, runner, start };
}

async function until(sessions: Sessions, id: string, states: readonly string[]) {
  while (!states.includes((await sessions.get(id))?.state ?? "")) await sleep(5);
}

it("loses no message of several that go on with it at one moment", async () => {
  const { sessions, runner, start } = await world();
  const id = await start("first");
  await until(sessions, id, ["idle"]);
  await sessions.cancel(id, "ann");
  const holder = await start("wait");
  await until(sessions, holder, ["running"]);
  const texts = ["one", "two", "three"];
  const sent = await Promise.all(texts.map((text) => sessions.send(id, { text, resume: true }, ann)));
  expect(sent.map(({ ok }) => ok)).toEqual([true, true, true]);
  await sessions.cancel(holder, "ann");
  while (!texts.every((text) => runner.seen.includes(text))) await sleep(5);
});

it("is cancelled again while the message that goes on with it still waits", async () => {
  const { sessions, runner, start } = await world();
  const id = await start("first");
  await until(sessions, id, ["idle"]);
  await sessions.cancel(id, "ann");
  const holder = await start("wait");
  await until(sessions, holder, ["running"]);
  await sessions.send(id, { text: "again", resume: true }, ann);
  await sessions.cancel(id, "ann");
  await sessions.cancel(holder, "ann");
  await until(sessions, await start("last", true), ["ended"]);
  await sleep(50);
  expect(runner.seen).not.toContain("again");
});
