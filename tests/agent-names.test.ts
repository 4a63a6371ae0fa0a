/** An agent is one folder and one line of the table: nothing else in src may know its name, and its hook loads our own files alone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { agentNames, allAgents } from "../src/agents/all-agents.ts";
import { namesAgent } from "../src/rules/own/agent-words.ts";

const src = resolve(import.meta.dirname, "../src");

/** Files, or folders with a slash at their end, that say an agent's name all the same, and why. */
const exceptions: Readonly<Record<string, string>> = {
  "core/call/hook-shape.ts":
    "`wire: claude-code` is a public value: the form in which a hook program is asked",
  "safe/command-hook/": "that form itself, which safe/ may not import from agents/",
  "safe/sandbox/": "lists of files that are secret or dangerous, also for agents without an adapter",
  "safe/files/inside-root/protected-names.ts": "the same, for writing",
  "config/find-project.ts": "`.claude/tool-routes.yaml` is a public name of a rule file",
  "config/file/starter-file.ts": "the same file, in a rule that keeps it",
  "surfaces/cli/commands/trust/candidates.ts": "the same file",
  "surfaces/cli/commands/init/take-over.ts": "the same file",
  "surfaces/cli/commands/convert/command.ts": "the same file, in an example",
  "open/open-tools.ts": "`.claude/skills` is a public name of a folder with skills",
  "config/settings/mcp-settings.ts": "`--permission-prompt-tool` is an option of that program only",
  "surfaces/mcp/handlers/permission-prompt.ts": "the same option",
  "surfaces/cli/commands/mcp/command.ts": "the same option, and an example of that program's own command",
  "surfaces/cli/commands/tokens/command.ts": "an example of a token's name",
  "surfaces/cli/commands/upstreams/command.ts":
    "public values of `upstreams import`: more programs than agents",
  "surfaces/hook/process/hook.sh": "a script that imports nothing; tests compare its lists with the table",
  "sessions/runners/claude/": "the agent that it runs, by the SDK of that name",
  "open/open-claude-runner.ts": "makes it of the configuration",
  "open/open-runners.ts": "`claude` is a public name of a runner",
  "config/settings/session-settings.ts": "the same name, in the configuration",
  "surfaces/cli/commands/run/command.ts": "the same name, in an example",
  "surfaces/cli/commands/chat/command.ts": "the same",
  "index.ts": "`createClaudeRunner` is a public name",
  "rules/conditions/file-form.ts": "names of files that agents obey",
  "rules/own/agent-words.ts": "rules/ may not import agents/; what a command or a hook of ours is told",
};

/** In code, not in comments: what was measured with an agent may be said where it matters. */
function codeOf(file: string): string {
  const text = readFileSync(join(src, file), "utf8");
  return file.endsWith(".ts") ? text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, "") : text;
}

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.\w+$/.test(file));
const naming = files.filter((file) => !file.startsWith("agents/") && /claude/i.test(codeOf(file)));

it("names an agent only in agents/, and where there is a reason", () => {
  const known = Object.keys(exceptions);
  const excused = (file: string) =>
    known.some((place) => file === place || (place.endsWith("/") && file.startsWith(place)));
  expect(naming.filter((file) => !excused(file))).toEqual([]);
  expect(known.filter((place) => !naming.some((file) => file.startsWith(place)))).toEqual([]);
});

it("has a folder of its own for each agent, and each name once", () => {
  expect(new Set(agentNames).size).toBe(agentNames.length);
  for (const name of agentNames)
    for (const file of ["agent.ts", "hook.ts", "setup.ts"])
      expect(existsSync(join(src, "agents", name, file)), `${name}/${file}`).toBe(true);
});

it("knows every agent that has a folder with an adapter", () => {
  const folders = readdirSync(join(src, "agents")).filter((name) =>
    existsSync(join(src, "agents", name, "agent.ts")),
  );
  expect([...agentNames].sort()).toEqual(folders.sort());
});

it("knows each agent's name in a command that only people run", () => {
  expect(agentNames.filter((name) => !namesAgent(name))).toEqual([]);
});

it("lets a session's variables be forgotten only where they choose files", () => {
  for (const { variables, sessionVariables, projectVariable } of allAgents) {
    expect(variables).toEqual(expect.arrayContaining([...sessionVariables]));
    if (projectVariable !== undefined) expect(sessionVariables).toContain(projectVariable);
  }
});

/** Packages that a file imports at run time, itself or through files of ours. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gms);
  return [...imports].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return packagesOf(join(dirname(file), name), seen);
    return name.startsWith("node:") ? [] : [`${relative(src, file)}: ${name}`];
  });
}

// What a hook loads stands in the way of every call, and is bundled by itself.
it.for([...agentNames, "neutral"])("the hook of %s needs no package", (name) => {
  expect(packagesOf(join(src, "agents", name, "hook.ts"))).toEqual([]);
});
