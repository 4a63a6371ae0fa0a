/** A machine on which toolgate is installed, with a hook that does what it should, and what doctor says about it. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { runDoctor } from "../../../../src/surfaces/cli/commands/doctor/doctor.ts";
import { runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly todo?: string;
}

export async function examine(world: World, env: Record<string, string> = {}) {
  const all = { HOME: world.home, PATH: "/usr/bin:/bin", ...env };
  const ran = await world.run((io) => runDoctor({ json: true, managedDir: world.managedDir }, io), {
    env: all,
  });
  const { ok, findings } = JSON.parse(ran.out) as { ok: boolean; findings: Finding[] };
  expect(ran.code).toBe(ok ? 0 : 1);
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { ok, findings, about };
}

/** One of this level, whose message has these words in it. */
export function finding(level: string, message = ""): unknown {
  return expect.objectContaining({ level, message: expect.stringContaining(message) });
}

/** A hook that knows the one rule which doctor gives it. */
export const obedient = `#!/usr/bin/env node
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const call = JSON.parse(readFileSync(0, "utf8"));
const rules = readFileSync(join(process.env.XDG_CONFIG_HOME, "toolgate", "config.yaml"), "utf8");
const value = (key) => new RegExp(key + ': "(.*)"').exec(rules)[1];
if (call.tool_name === "ToolgateCanary" && new RegExp(value("pattern")).test(call.tool_input.say)) {
  const said = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: value("message") };
  process.stdout.write(JSON.stringify({ hookSpecificOutput: said }));
  process.stderr.write(value("message"));
  process.exitCode = 2;
}
`;

export async function installed(hook = obedient): Promise<World> {
  const world = createWorld();
  const bundle = world.write("toolgate/dist/hook/hook.cjs", hook);
  world.write("toolgate/dist/hook/hook.sh", readFileSync("src/surfaces/hook/process/hook.sh", "utf8"));
  const { code } = await world.run((io) => runInstall({ agents: ["claude-code"], bundle }, io));
  expect(code).toBe(0);
  return world;
}

export const settings = "home/.claude/settings.json";

/** A file of the copy that the settings name. */
export function installedFile(world: World, name: string): string {
  const [program = ""] = commandIn(world).split(" ");
  return join(dirname(program), name);
}

/** Names another node. */
export function changeNode(world: World, node: string): void {
  const [, , named = ""] = commandIn(world).split(" ");
  changeSettings(world, (text) => text.replaceAll(named, node));
}

function commandIn(world: World): string {
  return JSON.parse(readFileSync(world.path(settings), "utf8")).hooks.PreToolUse[0].hooks[0].command;
}

export function changeSettings(world: World, change: (text: string) => string): void {
  world.write(settings, change(readFileSync(world.path(settings), "utf8")));
}
