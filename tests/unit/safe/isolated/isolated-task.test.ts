import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createIsolatedTask, type IsolatedTaskOptions } from "../../../../src/safe/isolated/isolated-task.ts";
import { readProcess } from "../../../../src/safe/process/process-table.ts";

const work = `
import { writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
let calls = 0;
export function run(what) {
  calls += 1;
  if (what === "loop") for (;;);
  if (what === "throw") throw new Error("it broke");
  if (what === "exit") process.exit(3);
  if (what === "memory") for (const all = []; ; ) all.push(new Array(1000).fill(1.5));
  if (what === "write") writeFileSync("/tmp/toolgate-isolated-test", "x");
  if (what === "spawn") return spawnSync("true").error?.code ?? "started";
  if (what === "env") return Object.keys(process.env).filter((name) => name !== "TOOLGATE_CALL");
  if (what === "pid") return process.pid;
  return { what, calls };
}`;

/** A folder with the work in it. */
function workplace(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-isolated-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "work.mjs"), work);
  return folder;
}

function task(options: Partial<IsolatedTaskOptions> = {}) {
  const module = pathToFileURL(join(workplace(), "work.mjs"));
  const made = createIsolatedTask<(what: string) => unknown>({ module, ...options });
  onTestFinished(() => made.close());
  return made;
}
const limits = { timeoutMs: 15_000 };

describe("an isolated task", () => {
  it("answers, and keeps its process for the next piece of work", async () => {
    const { run } = task();
    expect(await run("a", limits)).toEqual({ ok: true, value: { what: "a", calls: 1 } });
    expect(await run("b", limits)).toEqual({ ok: true, value: { what: "b", calls: 2 } });
  });

  it("ends work that takes too long, and goes on with the next in a new process", async () => {
    const { run } = task();
    const [slow, next] = await Promise.all([run("loop", { timeoutMs: 100 }), run("a", limits)]);
    expect(slow).toMatchObject({ ok: false, code: "timed_out" });
    expect(next).toEqual({ ok: true, value: { what: "a", calls: 1 } });
  });

  it("ends work that takes too much memory", async () => {
    const { run } = task({ maxHeapMb: 32 });
    expect(await run("memory", limits)).toMatchObject({ ok: false, code: "out_of_memory" });
    expect(await run("a", limits)).toMatchObject({ ok: true });
  });

  it.each([
    ["throw", "it broke"],
    ["exit", "The process for it ended with 3."],
  ])("reports work that breaks (%s), and starts afresh", async (what, message) => {
    const { run } = task();
    await run("a", limits);
    expect(await run(what, limits)).toEqual({ ok: false, code: "failed", message });
    expect(await run("a", limits)).toEqual({ ok: true, value: { what: "a", calls: 1 } });
  });

  it("reports a module that cannot be loaded", async () => {
    const { run } = task({ module: new URL("file:///nowhere/at/all.mjs") });
    expect(await run("a", limits)).toMatchObject({ ok: false, code: "failed" });
  });

  it("is cancelled while it works and while it waits", async () => {
    const { run } = task();
    const first = new AbortController();
    const second = new AbortController();
    const working = run("loop", { ...limits, signal: first.signal });
    const waiting = run("a", { ...limits, signal: second.signal });
    second.abort();
    expect(await waiting).toMatchObject({ code: "cancelled" });
    first.abort();
    expect(await working).toMatchObject({ code: "cancelled" });
    expect(await run("a", { ...limits, signal: AbortSignal.abort() })).toMatchObject({ code: "cancelled" });
    expect(await run("a", limits)).toMatchObject({ ok: true });
  });

  it("takes only so much work at once", async () => {
    const { run } = task({ maxWaiting: 1 });
    const ends = await Promise.all([run("a", limits), run("b", limits), run("c", limits)]);
    expect(ends.map((end) => end.ok || end.code)).toEqual([true, true, "busy"]);
  });

  it("writes nothing, starts nothing and sees no variable of ours", async () => {
    const { run } = task();
    expect(await run("write", limits)).toMatchObject({ ok: false, code: "failed" });
    expect(await run("spawn", limits)).not.toMatchObject({ value: "started" });
    expect(await run("env", limits)).toEqual({ ok: true, value: [] });
  });

  it("is over when it is closed", async () => {
    const made = task();
    const pid = (await made.run("pid", limits)) as { value: number };
    const working = made.run("loop", limits);
    made.close();
    expect(await working).toMatchObject({ code: "closed" });
    expect(await made.run("a", limits)).toMatchObject({ code: "closed" });
    await expect.poll(() => isAlive(pid.value)).toBe(false);
  });

  it("ends by itself when there is nothing to do", async () => {
    const { run } = task({ idleMs: 50 });
    const { value } = (await run("pid", limits)) as { value: number };
    await expect.poll(() => isAlive(value)).toBe(false);
    expect(await run("a", limits)).toMatchObject({ ok: true });
  });

  it("does not keep a program alive that has nothing else to do", async () => {
    const folder = workplace();
    const source = fileURLToPath(new URL("../../../../src/safe/isolated/isolated-task.ts", import.meta.url));
    const program = `
      import { createIsolatedTask } from ${JSON.stringify(source)};
      const task = createIsolatedTask({ module: new URL("./work.mjs", import.meta.url) });
      const end = await task.run("pid", { timeoutMs: 15000 });
      console.log(end.value);`;
    writeFileSync(join(folder, "main.mjs"), program);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")]);
    await expect.poll(() => isAlive(Number(stdout))).toBe(false);
  });
});

/** One that has ended but that nobody has taken notice of does not count. */
function isAlive(pid: number): boolean {
  if (process.platform === "linux") return readProcess(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
