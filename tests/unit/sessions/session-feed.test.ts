import { describe, expect, it, onTestFinished } from "vitest";
import { defineTool } from "../../../src/core/tool/tool.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import type { SessionEvent } from "../../../src/sessions/session-event.ts";
import { type Script, scriptedRunner } from "./scripted-runner.ts";

const look = defineTool({
  id: "sky.look",
  description: "Looks.",
  permission: "read",
  input: { type: "object", properties: {} },
  run: () => "blue",
});

/** What a reader gets of one turn, by its kinds. */
async function followed(script: Script): Promise<readonly SessionEvent[]> {
  const gate = await createGate({ tools: [look] });
  const sessions = await createSessions(gate, { runners: [scriptedRunner(script)], roots: [process.cwd()] });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
  });
  const started = await sessions.start({ prompt: "go", single: true }, { id: "ann", capabilities: ["*"] });
  if (!started.ok) throw new Error(started.message);
  const leaving = new AbortController();
  const events: SessionEvent[] = [];
  for await (const event of sessions.events(started.session.id, { signal: leaving.signal })) {
    events.push(event);
    if (event.event === "completed" || event.event === "error") leaving.abort();
  }
  return events;
}

const kindsOf = (events: readonly SessionEvent[]) =>
  events.flatMap(({ event, data }) =>
    event === "session" || data.role === "user" ? [] : [event === "message-delta" ? "delta" : event],
  );

describe("those who follow a session", () => {
  it("see the call of a tool and its end before what the model says about it", async () => {
    const events = await followed(async ({ log, signal }, { calls }) => {
      const first = log.newItem();
      log.delta(first, "I look.");
      await log.message(first, "I look.");
      await calls.run({ tool: "sky_look", input: {}, toolUseId: "t1", signal });
      const second = log.newItem();
      log.delta(second, "It is ");
      // The result waits for company in the log longer than these words take.
      log.delta(second, "blue.");
      await new Promise((resolve) => setTimeout(resolve, 150));
      await log.message(second, "It is blue.");
      return undefined;
    });
    const kinds = kindsOf(events).filter((kind, at, all) => kind !== "delta" || all[at - 1] !== "delta");
    expect(kinds).toEqual([
      ...["delta", "message", "tool_use", "tool_result"],
      ...["delta", "message", "completed"],
    ]);
    const said = events.filter(({ event }) => event === "message-delta").map(({ data }) => data.text);
    expect(said.join("")).toBe("I look.It is blue.");
  });

  it("see words that were held back only whole, when the message is done by then", async () => {
    const events = await followed(async ({ log, signal }, { calls }) => {
      await calls.run({ tool: "sky_look", input: {}, toolUseId: "t1", signal });
      const item = log.newItem();
      log.delta(item, "Blue");
      await log.message(item, "Blue.");
      return undefined;
    });
    expect(kindsOf(events)).toEqual(["tool_use", "tool_result", "message", "completed"]);
  });
});
