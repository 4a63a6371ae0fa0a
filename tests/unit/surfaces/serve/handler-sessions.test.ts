import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { createGate, createHttpHandler, createSessions } from "../../../../src/index.ts";
import { scriptedRunner } from "../../sessions/scripted-runner.ts";
import { readEvents } from "../http/read-events.ts";

const token = "t".repeat(40);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

describe("sessions behind a handler of one's own", () => {
  it("are started and followed", async () => {
    const gate = await createGate({});
    const runner = scriptedRunner(async ({ prompt }) => `heard ${prompt}`);
    await using sessions = await createSessions(gate, {
      runners: [runner],
      roots: [realpathSync(tmpdir())],
    });
    await using handler = await createHttpHandler(gate, {
      sessions,
      tokens: [{ token, name: "ann", rights: ["call"] }],
    });
    const ask = (path: string, body?: object) =>
      handler.fetch(
        new Request(`http://127.0.0.1${path}`, {
          headers,
          ...(body && { method: "POST", body: JSON.stringify(body) }),
        }),
      );
    const started = await ask("/api/sessions", { prompt: "hello", mode: "plan", single: true });
    expect(started.status).toBe(201);
    const { id, owner } = (await started.json()) as { id: string; owner: string };
    expect(owner).toBe("ann");
    const said: string[] = [];
    for await (const { kind, data } of readEvents(await ask(`/api/sessions/${id}/events`))) {
      if (kind === "message") said.push(data.text);
      if (kind === "completed") break;
    }
    expect(said).toEqual(["hello", "heard hello"]);
  });

  it("are refused if they are none", async () => {
    const gate = await createGate({});
    const options = { sessions: {} as never, tokens: [{ token, name: "ann", rights: ["call"] as const }] };
    await expect(createHttpHandler(gate, options)).rejects.toThrow("what createSessions made");
  });
});
