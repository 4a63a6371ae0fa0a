/** The process that a plugin starts for all of its calls, real: what it answers, and what becomes of calls when it fails. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PluginValues } from "../../../../src/agents/in-process/plugin-values.ts";
import { createResident, type Resident } from "../../../../src/agents/in-process/resident.ts";
import { createFastHookWorld, type FastHookWorld } from "../../../fast-hook-world.ts";

const hook = resolve(import.meta.dirname, "../../../../dist/hook/hook.cjs");
const rules = `routes:
  no-force: {tool: Bash, pattern: 'push.*--force', message: No force.}
policies:
  ask-first: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: matches, value: deploy}]}
`;

interface Checked {
  readonly world: FastHookWorld;
  readonly values: PluginValues;
  readonly resident: Resident;
  ask(command: string): Promise<string>;
  /** The processes that were started, one after the other. */
  started(): number[];
}

/** `before`: what is done in each new process before the hook's own code. */
function createChecked(options: { readonly before?: string; readonly silenceMs?: number } = {}): Checked {
  const { before = "", silenceMs = 20_000 } = options;
  const world = createFastHookWorld();
  world.user(rules);
  const log = join(world.base, "started");
  const start = join(world.base, "start.cjs");
  writeFileSync(
    start,
    `require("fs").appendFileSync(${JSON.stringify(log)}, process.pid + "\\n");\n${before}\nrequire(${JSON.stringify(hook)});\n`,
  );
  // As if `hook.cjs` did it itself: the rest of its arguments stay where they are.
  const values = {
    ...{ agent: "opencode", node: process.execPath, hook: start, seconds: 300, variables: ["HOME", "PATH"] },
  };
  const home = process.env.HOME;
  process.env.HOME = world.home;
  onTestFinished(() => {
    process.env.HOME = home;
  });
  const resident = createResident(values, { silenceMs });
  const started = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []);
  onTestFinished(() => {
    for (const pid of started()) kill(pid);
  });
  const call = (command: string) => ({
    ...{ event: "PreToolUse", tool: "bash", input: { command }, session: "s1", cwd: world.project },
  });
  return {
    ...{ world, values, resident, started },
    async ask(command) {
      const answer = await resident.ask(call(command));
      if (!answer.ok) return answer.reason;
      return answer.exitCode === 0 ? "runs" : answer.stderr;
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const notChecked = "The call could not be checked, so it is denied: ";

describe("the process of a plugin", () => {
  it("is started once for twenty calls, several of them at the same time", async () => {
    const { ask, started } = createChecked();
    const commands = Array.from({ length: 20 }, (_, at) =>
      at % 4 === 3 ? `git push --force ${at}` : `ls ${at}`,
    );
    const answers = await Promise.all(commands.map(ask));
    for (const [at, answer] of answers.entries())
      if (at % 4 === 3) expect(answer).toContain("No force.");
      else expect(answer).toBe("runs");
    expect(started()).toHaveLength(1);
  });

  it("sees rules that change on the disk", async () => {
    const { ask, world, started } = createChecked();
    expect(await ask("ls")).toBe("runs");
    world.user(
      `${rules}  no-ls: {tools: Bash, action: deny, reason: No lists., conditions: [{type: command, operator: equals, value: ls}]}\n`,
    );
    expect(await ask("ls")).toContain("No lists.");
    expect(started()).toHaveLength(1);
  });

  it("asks a server that is started later, and works alone when that is gone", async () => {
    const { ask, world } = createChecked();
    expect(await ask("deploy")).toContain("Nobody could be asked");
    const server = await world.serve({ maxWaitMs: 1_000 });
    expect(await ask("deploy")).toContain("Nobody answered within 1 seconds");
    await server.close();
    expect(await ask("deploy")).toContain("Nobody could be asked");
  });

  it("is started anew after it was killed; what it was asked meanwhile does not run", async () => {
    const { ask, started } = createChecked();
    expect(await ask("ls")).toBe("runs");
    const [first = 0] = started();
    kill(first, "SIGSTOP");
    const open = ask("ls");
    kill(first);
    expect(await open).toBe(`${notChecked}toolgate's process has ended.`);
    expect(await ask("git push --force")).toContain("No force.");
    expect(await ask("ls")).toBe("runs");
    expect(started()).toHaveLength(2);
  });

  it("is not ended by what somebody types at the agent's terminal", async () => {
    const { ask, started } = createChecked();
    expect(await ask("ls")).toBe("runs");
    kill(started()[0] ?? 0, "SIGINT");
    expect(await ask("ls")).toBe("runs");
    expect(started()).toHaveLength(1);
  });

  it("denies what it does not answer in time, and is not waited for any longer", async () => {
    const { ask, started } = createChecked({ silenceMs: 5_000 });
    expect(await ask("ls")).toBe("runs");
    const pid = started().at(-1) ?? 0;
    kill(pid, "SIGSTOP");
    expect(await ask("ls")).toBe(`${notChecked}toolgate's process does not answer.`);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it.each([
    ["crashes", `throw new Error("broken");`],
    ["ends", "process.exit(0);"],
    ["prints nonsense", `console.log("hello");`],
    ["prints an answer that is none", `console.log('{"id":1,"ok":true}');`],
  ])("denies when it %s", async (_what, before) => {
    const { ask } = createChecked({ before });
    expect(await ask("ls")).toContain(notChecked);
    expect(await ask("ls")).toContain(notChecked);
  });

  it("denies when it cannot be started", async () => {
    const { values } = createChecked();
    const resident = createResident({ ...values, node: "/no/such/node" });
    const answer = await resident.ask({ event: "PreToolUse", tool: "bash", input: {} });
    expect(answer).toMatchObject({ ok: false, reason: expect.stringContaining("cannot be started") });
  });

  it("denies a call that is too large, without asking", async () => {
    const { ask, started } = createChecked();
    expect(await ask("x".repeat(11 * 1024 * 1024))).toContain("it is larger than");
    expect(started()).toHaveLength(0);
  });

  it("knows nothing of the environment but what it may know", async () => {
    process.env.TOOLGATE_TEST_SECRET = "1";
    onTestFinished(() => {
      delete process.env.TOOLGATE_TEST_SECRET;
    });
    const { ask, world } = createChecked({
      before: `require("fs").writeFileSync(process.env.HOME + "/env", JSON.stringify(process.env));`,
    });
    expect(await ask("ls")).toBe("runs");
    const seen = Object.keys(JSON.parse(readFileSync(join(world.home, "env"), "utf8")) as object);
    expect(seen.sort()).toEqual(["HOME", "PATH"]);
  });

  /** A program that asks once, as an agent would, and then does what `next` says. */
  function startAgent({ world, values }: Checked, next: string) {
    const source = resolve(import.meta.dirname, "../../../../src/agents/in-process/resident.ts");
    const call = { event: "PreToolUse", tool: "bash", input: { command: "ls" }, cwd: world.project };
    const agent = world.write(
      "agent.mjs",
      `import { createResident } from ${JSON.stringify(source)};
const { ok } = await createResident(${JSON.stringify(values)}).ask(${JSON.stringify(call)});
${next}
`,
    );
    const child = spawn(process.execPath, [agent], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  it("ends with the agent that started it, however that ends", async () => {
    const checked = createChecked();
    const child = startAgent(checked, 'console.log("asked"); setInterval(() => {}, 1000);');
    await new Promise((done) => child.stdout.once("data", done));
    const [pid = 0] = checked.started();
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("does not keep an agent from its end", async () => {
    const child = startAgent(createChecked(), "process.exitCode = ok ? 7 : 8;");
    expect(await new Promise((done) => child.once("exit", done))).toBe(7);
  });
});
