/** kill -9 at every place of a session: nothing is lost that was kept, nothing happens twice. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate } from "../../../src/gate/create-gate.ts";
import { openStore } from "../../../src/open/open-store.ts";
import { readProcess } from "../../../src/safe/process/process-table.ts";
import { createSessions } from "../../../src/sessions/create-sessions.ts";
import { scriptedRunner } from "./scripted-runner.ts";

const child = fileURLToPath(new URL("killed-child.ts", import.meta.url));

/** Where it is killed, and what is left of the session. */
const places = {
  "before create": "nothing",
  "after create": "lost",
  "before take": "lost",
  "after take": "lost",
  "before starting": "lost",
  "in open": "lost",
  "after running": "lost",
  "before message": "lost",
  "after message": "lost",
  "after tool_use": "lost",
  "in tool": "lost",
  "after tool_result": "lost",
  "after approval": "lost",
  "before cancelled": "lost",
  "after cancelled": "cancelled",
  "before completed": "lost",
  "after completed": "idle",
} as const;

describe("a session whose process is killed", () => {
  it.for(Object.entries(places))("%s: %s", async ([place, left]) => {
    const world = realpathSync(mkdtempSync(join(tmpdir(), "killed-")));
    onTestFinished(() => rmSync(world, { recursive: true, force: true }));
    const effects = join(world, "effects");
    const stateFolder = join(world, "state");
    const dying = spawn(process.execPath, [child, stateFolder, world, place, effects], { stdio: "inherit" });
    const [code, signal] = await once(dying, "exit");
    expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });

    await using store = await openStore({ stateFolder });
    const { sessions: all } = await store.sessions.list();
    if (left === "nothing") return expect(all).toEqual([]);
    const [session] = all;
    const id = session?.id ?? "";
    expect(all).toHaveLength(1);
    expect(session?.end ?? session?.state).toBe(left);
    expect(session?.process).toBeUndefined();

    const before = await store.sessions.items(id);
    expect(before.map(({ seq }) => seq)).toEqual(before.map((_, at) => at + 1));
    expect(session?.lastSeq).toBe(before.length);

    // Whoever starts next runs nothing by itself.
    const gate = await createGate({ roots: [world], store });
    const runner = scriptedRunner(
      async ({ prompt }, { history }) => `${prompt}, ${(await history()).length}`,
      "real",
    );
    await using next = await createSessions(gate, {
      runners: [runner],
      store: store.sessions,
      process: store.processes.id,
      roots: [world],
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(runner.seen).toEqual([]);
    expect(await store.sessions.items(id)).toEqual(before);

    const by = { id: "ann", capabilities: ["*"] };
    expect(await next.send(id, { text: "go on", resume: true }, by)).toMatchObject({ ok: true });
    const reading = new AbortController();
    for await (const { event, data } of next.events(id, { signal: reading.signal }))
      if (event === "completed" && data.turn === (session?.turn ?? 0) + 1) reading.abort();
    expect(runner.seen).toEqual(["open", "go on"]);

    const lines = readFileSync(effects, "utf8").split("\n");
    expect(lines.filter((line) => line.startsWith("prompt ")).length).toBeLessThanOrEqual(1);
    expect(lines.filter((line) => line.startsWith("call ")).length).toBeLessThanOrEqual(1);
    for (const line of lines.filter((one) => one.startsWith("agent ")))
      await expect.poll(() => readProcess(Number(line.slice(6))), { timeout: 10_000 }).toBeUndefined();
  });
});
