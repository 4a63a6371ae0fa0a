/** Whatever happens to the hook's process, the gate does not open. Faults are put into a copy of the real hook. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { callOnce, describeClaudeCode, type SessionOptions } from "./session.ts";
import { createWorkbench, ourPlugin, type Workbench } from "./workbench.ts";

// No program but the shell itself is needed, so that it also runs where PATH leads nowhere.
const makeFile = { tool: "Bash", input: { command: "true > ran.txt" } };

const everyKindOfRule = `
routes:
  look-ahead: { tool: Bash, pattern: "(?=never)never", message: "Never." }
  no-true: { tool: Bash, pattern: "ran\\\\.txt", message: "Not like this." }
policies:
  no-redirect: { tools: Bash, action: deny, conditions: [{ type: path, operator: equals, value: ran.txt }] }
`;

describeClaudeCode("a hook that fails", () => {
  it("is what stops the calls below: the same call passes a hook that works", async () => {
    const bench = createWorkbench();
    expect(await outcome(bench, {})).toEqual({ isError: false, ran: true });
  });

  it.for<readonly [string, string]>([
    ["is killed", `process.kill(process.pid, "SIGKILL");`],
    ["exits with 1", "process.exit(1);"],
    ["throws", `throw new Error("broken");`],
    [
      "runs out of memory",
      "require('node:v8').setFlagsFromString('--max-old-space-size=64'); const all = []; for (;;) all.push(new Array(1e6).fill(all.length));",
    ],
  ])("stops the call when it %s", async ([, code]) => {
    const bench = createWorkbench();
    const plugin = faultyPlugin(bench, code);
    expect(await outcome(bench, { plugin })).toEqual({ isError: true, ran: false });
  });

  it("stops the call when it hangs", async () => {
    const bench = createWorkbench();
    const plugin = faultyPlugin(bench, "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
    const hooks = JSON.parse(bench.read("plugin/hooks/hooks.json"), (key, value) =>
      key === "timeout" ? 2 : value,
    );
    bench.write("plugin/hooks/hooks.json", hooks);
    expect(await outcome(bench, { plugin })).toEqual({ isError: true, ran: false });
  });

  it("stops the call when its file is missing", async () => {
    const bench = createWorkbench();
    const plugin = copyOfOurPlugin(bench);
    for (const bundle of bundlesIn(plugin)) rmSync(bundle);
    expect(await outcome(bench, { plugin })).toEqual({ isError: true, ran: false });
  });

  it("stops the call when its file is cut off", async () => {
    const bench = createWorkbench();
    const plugin = copyOfOurPlugin(bench);
    for (const bundle of bundlesIn(plugin)) truncateSync(bundle, 4_000);
    expect(await outcome(bench, { plugin })).toEqual({ isError: true, ran: false });
  });

  it("stops the call when any one of its parts is missing", async () => {
    const parts = bundlesIn(ourPlugin)
      .map((part) => basename(part))
      .filter((part) => part !== "hook.cjs");
    for (const part of parts) {
      const bench = createWorkbench();
      bench.writeRules(everyKindOfRule);
      const plugin = copyOfOurPlugin(bench);
      rmSync(join(plugin, part));
      expect(await outcome(bench, { plugin }), part).toEqual({ isError: true, ran: false });
    }
  });

  it("stops the call when there is no node to run it", async () => {
    const bench = createWorkbench();
    mkdirSync(bench.path("empty"));
    const env = { PATH: bench.path("empty") };
    expect(await outcome(bench, { env })).toEqual({ isError: true, ran: false });
    expect(await outcome(bench, { env, plugin: false })).toEqual({ isError: false, ran: true });
  });

  it.for<readonly [string, string]>([
    ["a stray line", `process.stdout.write("some module says hello\\n");`],
    ["half an answer", `process.stdout.write('{"hookSpecificOutput":');`],
    [
      "an answer that allows",
      `process.stdout.write('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\\n');`,
    ],
    ["a megabyte of noise", `process.stdout.write("noise ".repeat(200_000));`],
    ["noise on stderr", `process.stderr.write("noise ".repeat(200_000));`],
  ])("keeps its deny when %s was printed before it", async ([, code]) => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-true: { tool: Bash, pattern: "^true", message: "Not like this." }
`);
    expect(await outcome(bench, { plugin: faultyPlugin(bench, code) })).toEqual({
      isError: true,
      ran: false,
    });
  });

  it("does not let a rewrite get lost when a stray line was printed before it", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  elsewhere: { tool: Bash, pattern: "^true > ran", action: rewrite, rewrite: { command: "true > other" } }
`);
    const plugin = faultyPlugin(bench, `process.stdout.write("some module says hello\\n");`);
    expect(await outcome(bench, { plugin })).toEqual({ isError: true, ran: false });
  });
});

async function outcome(
  bench: Workbench,
  options: SessionOptions,
): Promise<{ isError: boolean; ran: boolean }> {
  const { isError } = await callOnce(bench, makeFile, { allow: ["Bash"], ...options });
  return { isError, ran: bench.has("project/ran.txt") };
}

/** With code that runs before the hook's own: what a broken machine, module or setting would do to it. */
function faultyPlugin(bench: Workbench, code: string): string {
  const plugin = copyOfOurPlugin(bench);
  const hook = join(plugin, "hook.cjs");
  const [shebang = "", ...rest] = readFileSync(hook, "utf8").split("\n");
  writeFileSync(hook, [shebang, `{ ${code} }`, ...rest].join("\n"));
  return plugin;
}

function copyOfOurPlugin(bench: Workbench): string {
  cpSync(ourPlugin, bench.path("plugin"), { recursive: true, dereference: true });
  return bench.path("plugin");
}

function bundlesIn(plugin: string): string[] {
  const found = globSync("**/*.cjs", { cwd: plugin }).map((file) => join(plugin, file));
  expect(found).not.toEqual([]);
  return found;
}
