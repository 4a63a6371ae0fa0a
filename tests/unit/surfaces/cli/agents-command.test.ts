/** `toolgate agents` with agents that do not exist: one has a program that really asks a model and obeys its hook. */
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../../../src/agents/agent.ts";
import type { AgentClient } from "../../../../src/agents/agent-client.ts";
import type { AgentAbilities, AgentSetup } from "../../../../src/agents/agent-setup.ts";
import { hooksInJson } from "../../../../src/agents/set-up/json-hooks.ts";
import { setUpAgent } from "../../../../src/agents/set-up/set-up-agent.ts";
import { type AgentsOptions, runAgents } from "../../../../src/surfaces/cli/commands/agents/agents.ts";
import { runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { fakeAgent } from "../../../ports/fake-agent/agent.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";
import { useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();

const abilities: AgentAbilities = {
  measured: "1.2.3",
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: true,
  rewrite: false,
  callId: true,
  subAgents: "none",
  onHookFailure: "runs the call",
  holes: ["It can be started with --no-hooks.", "It does not show what it writes into a shell."],
};

const file = ({ home }: { readonly home: string }) => join(home, ".one", "hooks.json");

/** Runs in a home of its own, where the person's hooks are copied to. */
const client: AgentClient = {
  program: "agent-one",
  inherits: [],
  ownDiagnosis: "agent-one hooks",
  quiet: { ONE_QUIET: "1" },
  trialCalls: (folder, word) => [
    { tool: "run", ruleTool: "Bash", input: { line: `touch ${join(folder, "ran")} ${word}` }, leaves: "ran" },
  ],
  session: ({ prompt, modelUrl, env, folder, place }) => ({
    args: ["ask", prompt],
    env: { ...env, HOME: join(folder, "home"), ONE_MODEL: modelUrl },
    cwd: join(folder, "project"),
    files: [{ path: "home/.one/hooks.json", text: readFileSync(file(place), "utf8") }],
    before: [["login", "nobody"]],
  }),
};

function agents(one: Partial<AgentSetup> = { client }): readonly AgentAdapter[] {
  const make = (name: string, title: string, more: Partial<AgentSetup>): AgentAdapter => {
    const setup = setUpAgent({
      abilities,
      hookTrial: {} as AgentSetup["hookTrial"],
      name,
      title,
      scopes: ["user", "project"],
      signs: { programs: [`agent-${name}`], folders: () => [] },
      parts: ({ scope, home, projectDir }) => [
        hooksInJson({
          agent: name,
          file: join(scope === "project" ? projectDir : home, `.${name}`, "hooks.json"),
          hooks: ({ before }) => ({ beforeTool: [{ command: before.line }] }),
        }),
      ],
    });
    return { ...fakeAgent, name, title, loadSetup: async () => ({ ...setup, ...more }) };
  };
  return [make("one", "Agent One", one), make("two", "Agent Two", {})];
}

/** Asks the model for a call; with a hook it looks for the rule that the hook would follow, without one it runs it. */
const program = `#!${process.execPath}
const { readFileSync, writeFileSync } = require("node:fs");
const { execFileSync } = require("node:child_process");
const home = process.env.HOME;
const [verb, said] = process.argv.slice(2);
if (verb === "--version") console.log("agent-one version 1.2.4-beta (quiet: " + process.env.ONE_QUIET + ")");
else if (verb === "login") writeFileSync(home + "/.one/login", said);
else (async () => {
  if (readFileSync(home + "/.one/login", "utf8") !== "nobody") throw new Error("Log in first.");
  const ask = async (messages) => {
    const tools = [{ type: "function", function: { name: "run" } }];
    const body = JSON.stringify({ model: "m", messages, tools });
    const url = process.env.ONE_MODEL + "/v1/chat/completions";
    return (await (await fetch(url, { method: "POST", body })).json()).choices[0].message;
  };
  const title = { model: "m", messages: [{ role: "user", content: "A title, please." }] };
  await fetch(process.env.ONE_MODEL + "/v1/chat/completions", { method: "POST", body: JSON.stringify(title) });
  const messages = [{ role: "user", content: said }];
  const message = await ask(messages);
  const [call] = message.tool_calls;
  const { line } = JSON.parse(call.function.arguments);
  const rules = readFileSync(process.env.XDG_CONFIG_HOME + "/toolgate/config.yaml", "utf8");
  const obeys = OBEYS && /hook/.test(readFileSync(home + "/.one/hooks.json", "utf8"));
  let content = "blocked: " + /message: "(.*)"/.exec(rules)[1];
  if (!obeys) { execFileSync("/bin/sh", ["-c", line]); content = "it ran"; }
  await ask([...messages, message, { role: "tool", tool_call_id: call.id, content }]);
})();
`;

function addProgram(obeys: boolean): void {
  chmodSync(world.write("bin/agent-one", program.replace("OBEYS", String(obeys))), 0o755);
}

const env = () => ({ HOME: world.home, PATH: `${world.path("bin")}:/usr/bin:/bin`, NO_COLOR: "1" });

async function install(scope: "user" | "project" = "user"): Promise<void> {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const options = { agents: ["one"], known: agents(), bundle, scope };
  await expectEnd(
    world.run((io) => runInstall(options, { ...io, env: env() })),
    { err: "" },
  );
}

const show = (options: AgentsOptions = {}) =>
  world.run((io) => runAgents({ known: agents(), ...options }, { ...io, env: env() }));

describe("toolgate agents", () => {
  it("shows what is here: version, hook, what it can and cannot, each hole in a line", async () => {
    addProgram(true);
    await install();
    await says(
      show(),
      "agent  version     hook  gated\none    1.2.4-beta  user  not tried\n",
      "Agent One (tried with 1.2.3)\n  can: block, and tell the model why; ",
      "  cannot: change a call (it is blocked, with what to run instead); ",
      "  hole: It can be started with --no-hooks.\n  hole: It does not show",
      "Not on this machine: two (toolgate agents --all)\n",
      "toolgate agents --canary",
    );
    expect((await show({ all: true })).out).toContain("two    -           no    no hook");
  });

  it("sees that an agent is stopped when it is started, and leaves nothing of it behind", async () => {
    addProgram(true);
    await install();
    const { out } = await says(show({ agent: "one", canary: true, json: true }));
    const one = { name: "one", title: "Agent One", version: "1.2.4-beta", onMachine: true };
    expect(JSON.parse(out)).toEqual([{ ...one, installed: ["user"], gated: "yes", abilities }]);
    expect(world.exists("home/.one/login")).toBe(false);
  });

  it("sees that an agent does not obey, and fails", async () => {
    addProgram(false);
    await install();
    await fails(
      show({ canary: true }),
      "one    1.2.4-beta  user  no\n",
      "  Agent One was started here and ran a call that a rule forbids",
    );
  });

  it("says why an agent was not tried", async () => {
    await install("project");
    await says(show({ canary: true }), "one    -        project  not tried\n", "No agent-one on the PATH");
    await says(show({ canary: true, known: agents({}) }), "cannot be tried without an account");
  });

  it("says so where there is none, and where a name is wrong", async () => {
    await says(
      show(),
      /^No agent that toolgate knows is on this machine\.\n\nNot on this machine: one, two \(toolgate agents --all\)\n$/,
    );
    await refuses(show({ agent: "claude-cod" }), "Did you mean claude-code?");
  });
});
