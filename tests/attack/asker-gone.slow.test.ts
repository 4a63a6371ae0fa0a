/** Questions of an agent's hook, asked through the server, and what becomes of them when the asker is killed in a way that tells nobody. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bash, createFastHookWorld, type FastHookWorld, type RunningServer } from "../fast-hook-world.ts";

const asking = "policies: {ask: {tools: Bash, action: ask, reason: Ann decides.}}\n";

/** An agent starts its hook as a child and waits for it. `around`: what stands between them. */
const agent = `
const { spawn } = require("node:child_process");
const [program, ...args] = JSON.parse(process.argv[1]);
const hook = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"] });
hook.stdin.end(process.argv[2]);
hook.on("close", (code) => console.log("hook ended " + code));
console.log("hook " + hook.pid);
setInterval(() => {}, 1000);
`;

interface Asker {
  readonly agent: ChildProcess;
  readonly hookPid: number;
  readonly server: RunningServer;
  readonly said: () => string;
}

async function ask(
  world: FastHookWorld,
  around: (words: readonly string[]) => readonly string[],
): Promise<Asker> {
  world.user(asking);
  const server = await world.serve();
  const script = join(world.base, "hook", "hook.sh");
  const words = ["bash", "-p", script, "claude-code", "/no/node", "300"];
  const args = ["-e", agent, JSON.stringify(around(words)), JSON.stringify(bash("make"))];
  const child = spawn(process.execPath, args, {
    cwd: world.project,
    env: { PATH: process.env.PATH, HOME: world.home, CLAUDE_PROJECT_DIR: world.project },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  await expect.poll(() => server.store.approvals.pending(), { timeout: 20_000 }).toHaveLength(1);
  const hookPid = Number(/hook (\d+)/.exec(out)?.[1]);
  onTestFinished(() => {
    child.kill("SIGKILL");
    if (isRunning(hookPid)) process.kill(hookPid, "SIGKILL");
  });
  return { agent: child, hookPid, server, said: () => out };
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

async function expectGone({ server }: Asker, id: string): Promise<void> {
  const { approvals } = server.store;
  await expect.poll(() => approvals.pending(), { interval: 100 }).toEqual([]);
  const late = await approvals.answer(id, { decision: "approve", by: "ann" });
  expect(late).toMatchObject({ ok: false, code: "withdrawn", message: expect.stringContaining("has ended") });
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

describe.skipIf(process.platform !== "linux")("a question through the server", () => {
  const direct = (words: readonly string[]) => words;
  const ways: [string, (words: readonly string[]) => readonly string[]][] = [
    ["started by the agent itself", direct],
    ["started by a shell that becomes it", (words) => ["sh", "-c", `exec ${quoted(words)}`]],
    ["started by a shell that stays", (words) => ["sh", "-c", `${quoted(words)}; exit $?`]],
    ["started by a shell in a shell", (words) => ["bash", "-c", `sh -c "${quoted(words)}; exit"; exit`]],
  ];

  it.each(ways)("ends when the agent was killed, with the hook %s", async (_how, around) => {
    const asker = await ask(createFastHookWorld(), around);
    const [request] = await asker.server.store.approvals.pending();
    asker.agent.kill("SIGKILL");
    await expectGone(asker, request?.id ?? "");
    await expect.poll(() => isRunning(asker.hookPid)).toBe(false);
  });

  it("ends when the hook was killed", async () => {
    const asker = await ask(createFastHookWorld(), direct);
    const [request] = await asker.server.store.approvals.pending();
    process.kill(asker.hookPid, "SIGKILL");
    await expectGone(asker, request?.id ?? "");
  });

  it("waits on while agent and hook are there, and its answer reaches them", async () => {
    const asker = await ask(createFastHookWorld(), ways[2]?.[1] ?? direct);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const [request] = await asker.server.store.approvals.pending();
    expect(
      await asker.server.store.approvals.answer(request?.id ?? "", { decision: "approve", by: "ann" }),
    ).toEqual({ ok: true });
    await expect.poll(asker.said).toContain("hook ended 0");
    expect(asker.said()).toContain('"allow"');
  });
});
