/** Whatever happens to the hook's process, the gate of the plugin does not open. Faults are put into a copy of the real hook, call by call. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { shared } from "./real/agent-bench.ts";
import { bash, callOnce, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, ourPlugin, type Workbench } from "./workbench.ts";

/** Every part of the hook is needed for them. */
const rules = `
routes:
  look-ahead: { tool: Bash, pattern: "(?=never)never", message: "Never." }
  no-true: { tool: Bash, pattern: "forbidden", message: "Not like this." }
  elsewhere: { tool: Bash, pattern: "^true > rewritten", action: rewrite, rewrite: { command: "true > other" } }
policies:
  no-redirect: { tools: Bash, action: deny, conditions: [{ type: path, operator: matches, value: forbidden }] }
`;

/** Code that runs before the hook's own: what a broken machine, module or setting would do to it. */
const broken: readonly (readonly [string, string])[] = [
  ["is killed", `process.kill(process.pid, "SIGKILL");`],
  ["exits with 1", "process.exit(1);"],
  ["throws", `throw new Error("broken");`],
  [
    "runs out of memory",
    "require('node:v8').setFlagsFromString('--max-old-space-size=64'); const all = []; for (;;) all.push(new Array(1e6).fill(all.length));",
  ],
];
const strayLine = `process.stdout.write("some module says hello\\n");`;
const noisy: readonly (readonly [string, string])[] = [
  ["a stray line", strayLine],
  ["half an answer", `process.stdout.write('{"hookSpecificOutput":');`],
  [
    "an answer that allows",
    `process.stdout.write('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\\n');`,
  ],
  ["a megabyte of noise", `process.stdout.write("noise ".repeat(200_000));`],
  ["noise on stderr", `process.stderr.write("noise ".repeat(200_000));`],
];
const parts = globSync("*.cjs", { cwd: ourPlugin }).filter((part) => part !== "hook.cjs");
const stopped = { isError: true, made: false };

describeClaudeCode("a hook that fails", () => {
  const session = shared(async (onEnd) => {
    const bench = createWorkbench({ onEnd });
    bench.writeRules(rules);
    const steps: readonly Fault[] = [
      ["works", () => {}],
      ...broken.map(([name, code]): Fault => [name, () => prepend(bench, code)]),
      ["is missing", () => bundlesIn(bench).forEach((bundle) => void rmSync(bundle))],
      ["is cut off", () => bundlesIn(bench).forEach((bundle) => void truncateSync(bundle, 4_000))],
      ...parts.map((part): Fault => [part, () => rmSync(bench.path(`copy/plugin/${part}`)), "forbidden"]),
      ...noisy.map(([name, code]): Fault => [name, () => prepend(bench, code), "forbidden"]),
      ["rewrites", () => prepend(bench, strayLine), "rewritten"],
    ];
    copyPlugin(bench);
    const script = steps.map(([name, breakIt, file = "ran"], index) => () => {
      copyPlugin(bench);
      breakIt();
      return bash(`true > ${file}-${index}.txt`, name);
    });
    const { result } = await runSession(bench, [...script, "Done."], {
      allow: ["Bash"],
      plugin: bench.path("copy/plugin"),
    });
    return (name: string) => {
      const index = steps.findIndex((step) => step[0] === name);
      const { isError } = result(name);
      return { isError, made: globSync(`*-${index}.txt`, { cwd: bench.project }).length > 0 };
    };
  });

  it("is what stops the calls below: the same call passes a hook that works", async () => {
    expect((await session())("works")).toEqual({ isError: false, made: true });
  });

  it.for(broken)("stops the call when it %s", async ([name]) => {
    expect((await session())(name)).toEqual(stopped);
  });

  it.for(["is missing", "is cut off"])("stops the call when its file %s", async (name) => {
    expect((await session())(name)).toEqual(stopped);
  });

  it("stops the call when any one of its parts is missing", async () => {
    const outcome = await session();
    expect(parts.filter((part) => outcome(part).made || !outcome(part).isError)).toEqual([]);
  });

  it.for(noisy)("keeps its deny when %s was printed before it", async ([name]) => {
    expect((await session())(name)).toEqual(stopped);
  });

  it("does not let a rewrite get lost when a stray line was printed before it", async () => {
    expect((await session())("rewrites")).toEqual(stopped);
  });

  it("stops the call when it hangs", async () => {
    const bench = createWorkbench();
    copyPlugin(bench);
    prepend(bench, "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);");
    const hooks = bench.read("copy/plugin/hooks/hooks.json");
    bench.write("copy/plugin/hooks/hooks.json", hooks.replace('"timeout": 300', '"timeout": 2'));
    expect(await outcomeOf(bench, { plugin: bench.path("copy/plugin") })).toEqual(stopped);
  });

  it("stops the call when there is no node to run it", async () => {
    const bench = createWorkbench();
    mkdirSync(bench.path("empty"));
    const env = { PATH: bench.path("empty") };
    expect(await outcomeOf(bench, { env })).toEqual(stopped);
    expect(await outcomeOf(bench, { env, plugin: false })).toEqual({ isError: false, made: true });
  });
});

/** The call, what is broken before it, and the beginning of the file that it would make. */
type Fault = readonly [name: string, breakIt: () => void, file?: string];

async function outcomeOf(bench: Workbench, options: object): Promise<typeof stopped> {
  // No program but the shell itself is needed, so that it also runs where PATH leads nowhere.
  const { isError } = await callOnce(bench, bash("true > ran.txt"), { allow: ["Bash"], ...options });
  return { isError, made: bench.has("project/ran.txt") };
}

/** In a folder of its own: what lies beside a plugin is toolgate's own, and closed to every call. */
function copyPlugin(bench: Workbench): void {
  cpSync(ourPlugin, bench.path("copy/plugin"), { recursive: true, dereference: true });
}

function prepend(bench: Workbench, code: string): void {
  const hook = bench.path("copy/plugin/hook.cjs");
  const [shebang = "", ...rest] = readFileSync(hook, "utf8").split("\n");
  writeFileSync(hook, [shebang, `{ ${code} }`, ...rest].join("\n"));
}

function bundlesIn(bench: Workbench): string[] {
  return globSync("**/*.cjs", { cwd: bench.path("copy/plugin") }).map((file) =>
    bench.path(`copy/plugin/${file}`),
  );
}
