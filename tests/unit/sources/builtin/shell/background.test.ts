import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, isGone } from "../../../../attack/spawn-attacks.ts";
import { because, stopped } from "../../stopped.ts";
import { shellGate } from "./shell-gate.ts";

const waitMs = 10_000;

describe("a background process", () => {
  it("answers an id at once and is read piece by piece", async () => {
    const { start, text, call } = await shellGate();
    const id = await start("echo one; read x; echo got $x", { stdin: true });
    expect(id).toMatch(/^p-[0-9a-f]{8}$/);
    expect(await text("shell.output", { id, waitMs })).toMatch(
      new RegExp(`^one\\n\\[${id}: running for \\d+\\.\\d s; cursor 4\\]$`),
    );
    expect(await text("shell.output", { id })).toMatch(/^\(no new output\)\n/);
    expect(await text("shell.input", { id, text: "two" })).toMatch(/^got two\n/);
    const outcome = await call("shell.output", { id, cursor: 0, waitMs });
    expect(outcome).toMatchObject({ ok: true, value: { id, cursor: 12 } });
    await expect
      .poll(async () => (await call("shell.output", { id })).ok && text("shell.output", { id }))
      .toMatch(/exit code 0 after/);
  });

  it("is found by its pid too, and only by the session that started it", async () => {
    const { data, text, code } = await shellGate();
    const started = { command: "printf '1\\n2\\n3\\n'; sleep 60", background: true };
    const { pid } = await data("shell.exec", started);
    await text("shell.output", { id: String(pid), waitMs });
    expect(await text("read_background_output", { pid, lines: 2 })).toMatch(/^2\n3\n\[p-/);
    expect(await text("read_background_output", { pid })).toMatch(/^1\n2\n3\n\[p-/);
    expect(await code("read_background_output", { pid }, { sessionId: "s2" })).toBe("not_found");
    expect(await text("KillShell", { shell_id: pid })).toContain("ended by request");
  });

  it("is only looked at by an empty text, also when it has ended and takes no input", async () => {
    const { data, text } = await shellGate();
    const { pid } = await data("shell.exec", { command: "echo done", background: true });
    const poll = { session_id: pid, chars: "", yield_time_ms: 5_000 };
    expect(await text("write_stdin", poll)).toMatch(/^done\n/);
    expect(await text("write_stdin", { session_id: pid })).toMatch(/^\(no new output\)\n/);
  });

  it("waits for the end as well as for output", async () => {
    const { start, text } = await shellGate();
    const id = await start("sleep 0.2; exit 3");
    expect(await text("shell.output", { id, waitMs })).toMatch(/^\(no new output\)\n\[.*: exit code 3 after/);
  });

  it("shows only the lines that match, and never half a line", async () => {
    const { start, text } = await shellGate();
    const id = await start("printf 'ok 1\\nerror 2\\nok 3\\nerr'; read x; echo or 4", { stdin: true });
    expect(await text("shell.output", { id, waitMs, filter: "^err" })).toMatch(/^error 2\n\[/);
    expect(await text("shell.input", { id, text: "go", waitMs: 0 })).toBeTruthy();
    await expect
      .poll(() => text("shell.output", { id, cursor: 0, filter: "^err" }))
      .toMatch(/^error 2\nerror 4\n\[/);
  });

  it.each(["(", "(?=x)", "(a)\\1", "x{5000}"])("refuses the filter %s", async (filter) => {
    const { start, code } = await shellGate();
    const id = await start("sleep 5");
    expect(await code("shell.output", { id, filter })).toBe("invalid_input");
  });

  it("keeps the newest output only, and says how much is gone", async () => {
    const { start, text, data } = await shellGate({ maxBackgroundBytes: 20_000 });
    const id = await start("seq 1 100000");
    await expect.poll(async () => (await data("shell.output", { id, cursor: 0 })).running).toBe(false);
    const answer = await text("shell.output", { id, cursor: 0 });
    expect(answer).toMatch(/^\[\d+ characters before this are no longer kept\.\]\n/);
    expect(answer).toContain("\n100000\n");
    // Kept in pieces of what one read of a pipe brings.
    expect((await data("shell.output", { id, cursor: 0 })).missed).toBeGreaterThan(
      588_895 - 20_000 - 65_536 * 2,
    );
  });

  it("is seen by its own session only", async () => {
    const { start, failure, text, call } = await shellGate();
    const id = await start("sleep 30");
    const missing = { code: "not_found", message: `This session has no process "${id}". It has none.` };
    const stranger = { caller: { id: "another", capabilities: ["*"] } };
    for (const context of [{ sessionId: "s2" }, { sessionId: undefined }, stranger]) {
      for (const tool of ["shell.output", "shell.input", "shell.kill"]) {
        const more = tool === "shell.input" ? { text: "x" } : {};
        expect(await failure(tool, { id, ...more }, context)).toMatchObject(missing);
      }
      expect(await text("shell.list", {}, context)).toBe("No background processes.");
    }
    expect(await text("shell.list", {})).toContain(id);
    expect(await call("shell.kill", { id })).toMatchObject({ ok: true });
  });

  it("is listed with its state, its folder and its command", async () => {
    const { start, data, text } = await shellGate();
    const first = await start("sleep 30", { cwd: "sub" });
    const second = await start("exit 4");
    await text("shell.output", { id: second, waitMs });
    expect(await data("shell.list", {})).toMatchObject({
      processes: [
        { id: first, running: true, pid: expect.any(Number), cwd: "sub", command: "sleep 30" },
        { id: second, running: false, exitCode: 4, cwd: ".", command: "exit 4" },
      ],
    });
    expect(await text("shell.list", {})).toMatch(
      new RegExp(`^${first}  running for .*  in sub: sleep 30\\n`),
    );
  });

  it("is ended with everything it started, also when it does not listen", async () => {
    const { start, text, pid: pidOf, code } = await shellGate();
    const id = await start(
      "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 0.1; done' & wait",
    );
    const pid = await pidOf();
    expect(await text("shell.kill", { id })).toMatch(new RegExp(`^${id}: ended by request after`));
    expect(await isGone(pid)).toBe(true);
    expect(await text("shell.kill", { id })).toMatch("had ended already");
    expect(await code("shell.input", { id, text: "x" })).toBe("ended");
  });

  it("ends with close, after which nothing starts", async () => {
    const { start, shell, pid: pidOf, code } = await shellGate();
    await start("echo $$ > pid; sleep 60");
    const pid = await pidOf();
    expect(isAlive(pid)).toBe(true);
    await shell.close();
    expect(isAlive(pid)).toBe(false);
    expect(await code("shell.exec", { command: "true", background: true })).toBe("closed");
  });

  it("ends with its session", async () => {
    const { start, shell, text } = await shellGate();
    await start("sleep 60");
    const other = await start("sleep 60", {}, { sessionId: "s2" });
    await shell.endSession("local", "s1");
    expect(await text("shell.list", {})).toBe("No background processes.");
    expect(await text("shell.list", {}, { sessionId: "s2" })).toContain(other);
  });

  it("is one of a limited number, also when many are started at once", async () => {
    const { call, failure, start } = await shellGate({ maxPerSession: 2, maxProcesses: 3 });
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => call("shell.exec", { command: "sleep 30", background: true })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
    expect(await failure("shell.exec", { command: "true", background: true })).toMatchObject(
      because("too_many_processes", "End one with shell.kill first"),
    );
    await start("sleep 30", {}, { sessionId: "s2" });
    expect(
      (await failure("shell.exec", { command: "true", background: true }, { sessionId: "s3" })).message,
    ).toContain("3 background processes run already");
  });

  it("does not stay when its start was cancelled", async () => {
    const { call, text } = await shellGate();
    const controller = new AbortController();
    const starting = call(
      "shell.exec",
      { command: "sleep 60", background: true },
      { signal: controller.signal },
    );
    controller.abort();
    expect(await starting).toMatchObject(stopped("cancelled"));
    await expect.poll(() => text("shell.list", {})).toBe("No background processes.");
  });

  it("can be read and ended while a command in the foreground runs", async () => {
    const { start, call, text, root } = await shellGate();
    const id = await start("echo here; sleep 60");
    const foreground = call("shell.exec", { command: "touch begun; while [ ! -e go ]; do sleep 0.05; done" });
    await expect.poll(() => existsSync(join(root, "begun"))).toBe(true);
    expect(await text("shell.output", { id, waitMs })).toMatch(/^here/);
    expect(await text("shell.list", {})).toContain(id);
    expect(await text("shell.kill", { id })).toContain("ended by request");
    writeFileSync(join(root, "go"), "");
    expect(await foreground).toMatchObject({ ok: true });
  });

  it.each([
    ["shell.output", "BashOutput", "bash_id"],
    ["shell.output", "read_background_output", "process_id"],
    ["shell.output", "read_command_output", "id"],
    ["shell.input", "write_stdin", "session_id"],
    ["shell.kill", "KillShell", "shell_id"],
  ])("is reached by %s under the name %s with %s", async (id, name, field) => {
    const { start, call } = await shellGate();
    const process = await start("cat", { stdin: true });
    const more = id === "shell.input" ? { chars: "x", yield_time_ms: 0, max_output_tokens: 10 } : {};
    expect(await call(name, { [field]: process, ...more })).toMatchObject({ ok: true, tool: id });
    expect(await call("list_background_processes", {})).toMatchObject({ ok: true, tool: "shell.list" });
  });

  it.each([
    ["shell.output", {}],
    ["shell.output", { id: "x", waitMs: -1 }],
    ["shell.output", { id: "x", waitMs: 600_000 }],
    ["shell.output", { id: "x", bash_id: "y" }],
    ["shell.output", { id: true }],
    ["shell.input", { id: "x" }],
    ["shell.input", { id: "x", text: "a", surprise: 1 }],
    ["shell.kill", {}],
    ["shell.kill", { id: "x", force: true }],
    ["shell.list", { all: true }],
  ])("%s refuses the input %j", async (tool, input) => {
    const { code } = await shellGate();
    expect(await code(tool, input)).toBe("invalid_input");
  });
});
