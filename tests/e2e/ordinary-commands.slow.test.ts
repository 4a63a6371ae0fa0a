/** A working day through the built hook, as Claude Code starts it: `toolgate init`, then each command, with a server and without. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ordinaryCommands } from "../ordinary-commands.ts";
import { type CliWorld, createCliWorld, type Ended, ended } from "./cli-process.ts";

const script = fileURLToPath(new URL("../../dist/hook/hook.sh", import.meta.url));

async function createProject(): Promise<CliWorld> {
  const world = createCliWorld();
  onTestFinished(() => world.close());
  expect((await world.run(["init", "--json"])).code).toBe(0);
  for (const file of [".env", ".env.example", "package.json"]) writeFileSync(join(world.project, file), "x");
  return world;
}

/** `node`: what the script starts when no server answers. */
function ask({ folder, project }: CliWorld, command: string, node: string): Promise<Ended> {
  const session = "00000000-0000-4000-8000-000000000001";
  const child = spawn(script, ["claude-code", node, "300", "word"], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, "home"),
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_SESSION_ID: session,
      CLAUDE_CODE_SESSION_ATTENDED: "1",
    },
    stdio: "pipe",
  });
  child.stdin.end(
    JSON.stringify({
      session_id: session,
      transcript_path: join(folder, "home/.claude/projects/x.jsonl"),
      cwd: project,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "x" },
      tool_use_id: "toolu_1",
    }),
  );
  return ended(child);
}

function verdictOf({ code, out, err }: Ended): string {
  if (code === 2) return err.includes("(route ") ? "route" : `deny: ${err}`;
  if (code !== 0) return `broken: ${err}`;
  return /"permissionDecision":"(\w+)"/.exec(out)?.[1] ?? "silent";
}

function expectQuiet(verdicts: readonly string[]): void {
  expect(verdicts.filter((verdict) => !/^(?:silent|allow|ask|route)$/.test(verdict))).toEqual([]);
  expect(verdicts.filter((verdict) => verdict === "ask").length).toBeLessThanOrEqual(3);
  expect(verdicts.filter((verdict) => verdict === "route").length).toBeLessThanOrEqual(3);
}

it("passes every command through the script while a server runs", async () => {
  const world = await createProject();
  const server = world.start(["serve", "--port", "0", "--json"]);
  const over = ended(server);
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await over;
  });
  await new Promise((resolve) => server.stdout?.once("data", resolve));
  const verdicts: string[] = [];
  // No node: only the server can have answered.
  for (const command of ordinaryCommands)
    verdicts.push(verdictOf(await ask(world, command, join(world.folder, "no-node"))));
  expectQuiet(verdicts);
});

it("passes every fourth command through a process of its own without a server", async () => {
  const world = await createProject();
  const verdicts: string[] = [];
  for (const command of ordinaryCommands.filter((_, index) => index % 4 === 0))
    verdicts.push(verdictOf(await ask(world, command, process.execPath)));
  expectQuiet(verdicts);
});
