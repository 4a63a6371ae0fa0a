/** Several agents at once: which are meant, what is shown, who says yes, and what one failure means for the others. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../../../src/agents/agent.ts";
import type { AgentSetup, TrustEnd } from "../../../../src/agents/agent-setup.ts";
import { putParts } from "../../../../src/agents/set-up/change-files.ts";
import { hooksInJson } from "../../../../src/agents/set-up/json-hooks.ts";
import { setUpAgent } from "../../../../src/agents/set-up/set-up-agent.ts";
import { hooksInToml } from "../../../../src/agents/set-up/toml-hooks.ts";
import { type InstallOptions, runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import type { Person } from "../../../../src/surfaces/cli/commands/install/person.ts";
import { runUninstall } from "../../../../src/surfaces/cli/commands/install/uninstall.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { fakeAgent } from "../../../ports/fake-agent/agent.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

/** Two agents that do not exist: `one` in JSON, at user and project; `two` in TOML, and it wants to be told to trust. */
function agents(run: () => Promise<TrustEnd> = trustIt): readonly AgentAdapter[] {
  const base = { abilities: {} as AgentSetup["abilities"], hookTrial: {} as AgentSetup["hookTrial"] };
  const one = setUpAgent({
    ...base,
    name: "one",
    title: "Agent One",
    scopes: ["user", "project"],
    signs: { programs: ["agent-one"], folders: ({ home }) => [join(home, ".one")] },
    parts: ({ scope, home, projectDir }) => [
      hooksInJson({
        agent: "one",
        file: join(scope === "project" ? projectDir : home, ".one", "hooks.json"),
        hooks: ({ before }) => ({ beforeTool: [{ command: before.line }] }),
      }),
    ],
  });
  const two = setUpAgent({
    ...base,
    name: "two",
    title: "Agent Two",
    scopes: ["user"],
    signs: { programs: ["agent-two"], folders: () => [] },
    parts: ({ home }) => [
      hooksInToml({
        agent: "two",
        file: join(home, "two.toml"),
        hooks: ({ before }) => [{ event: "BeforeTool", command: before.line }],
      }),
    ],
    trustParts: ({ home }) => [trustPart(home)],
    trust: (request) => ({
      question: "Trust the hooks in Agent Two?",
      does: "Writes trusted.toml.",
      otherwise: "Agent Two skips the hooks until you trust them: run two /trust.",
      run: async () => {
        const done = await run();
        return done.ok
          ? putParts(request, [trustPart(request.home)], { program: { path: "/hook.sh" } })
          : done;
      },
    }),
  });
  return [
    { ...fakeAgent, name: "one", title: "Agent One", loadSetup: async () => one },
    { ...fakeAgent, name: "two", title: "Agent Two", loadSetup: async () => two },
  ];
}

const trustIt = async (): Promise<TrustEnd> => ({ ok: true, files: [] });

const trustPart = (home: string) =>
  hooksInToml({
    agent: "two",
    file: join(home, "trusted.toml"),
    hooks: ({ before }) => [{ yes: before.line }],
  });

interface Answers {
  readonly confirm?: boolean;
  readonly choose?: readonly string[];
}

/** What a person was asked, in order, and what they said. */
function personWho(answers: Answers): Person & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    confirm: async (question) => {
      asked.push(question);
      return answers.confirm;
    },
    choose: async (question, choices, first) => {
      asked.push(
        `${question} ${choices.map(({ label, hint }) => `${label}${hint ? `: ${hint}` : ""}`).join(", ")}`,
      );
      return answers.choose ?? first;
    },
  };
}

const nobody = personWho({});
const terminal = { isTerminal: true, stdinIsTerminal: true } as const;

function install(world: World, options: Partial<InstallOptions>, io: Partial<CliIo> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((own) =>
    runInstall(
      { bundle, known: agents(), person: { ...nobody, choose: async () => undefined }, ...options },
      { ...own, ...io, env: { ...own.env, PATH: world.path("bin"), NO_COLOR: "1" } },
    ),
  );
}

const uninstall = (world: World, options: object = {}) =>
  world.run((io) => runUninstall({ known: agents(), all: true, ...options }, io));

const files = (world: World) =>
  readdirSync(world.path("."), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("toolgate"))
    .sort();

function addProgram(world: World, name: string): void {
  chmodSync(world.write(`bin/${name}`, "#!/bin/sh\n"), 0o755);
}

describe("toolgate install with several agents", () => {
  it("writes into each of them, and takes itself out of all of them again", async () => {
    const world = createWorld();
    world.write("home/two.toml", "a = 1\n");
    const before = files(world);
    const { code, out, err } = await install(world, { agents: ["two", "one"], trust: true });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Agent One now asks toolgate before every tool call (~/.one/hooks.json)");
    expect(out).toContain("Agent Two now asks toolgate before every tool call (~/two.toml)");
    expect(out).toContain("toolgate uninstall one two   undo");
    expect(existsSync(world.path("home/trusted.toml"))).toBe(true);
    expect((await uninstall(world)).out).toContain("Took the hooks out of ~/trusted.toml, ~/two.toml");
    expect(files(world)).toEqual(before);
    expect(readFileSync(world.path("home/two.toml"), "utf8")).toBe("a = 1\n");
    expect(await uninstall(world)).toMatchObject({
      code: 1,
      err: expect.stringContaining("Nothing of toolgate"),
    });
  });

  it("finds those that are on the machine by their program or their folder with --all", async () => {
    const world = createWorld();
    expect(await install(world, { all: true })).toMatchObject({
      code: 1,
      err: expect.stringContaining("No agent that toolgate knows was found"),
    });
    mkdirSync(world.path("home/.one"));
    expect((await install(world, { all: true })).out).not.toContain("Agent Two");
    addProgram(world, "agent-two");
    const { out } = await install(world, { all: true, trust: true });
    expect(out).toContain("Already installed in ~/.one/hooks.json");
    expect(out).toContain("Agent Two now asks toolgate");
  });

  it("goes on with the others where one cannot be set up, writes no half of it, and ends with 1", async () => {
    const world = createWorld();
    world.write("home/.one/hooks.json", "{ broken");
    const { code, out, err } = await install(world, { agents: ["one", "two"], trust: true });
    expect(code).toBe(1);
    expect(err).toContain("not valid JSON");
    expect(out).toContain("Agent Two now asks toolgate");
    expect(readFileSync(world.path("home/.one/hooks.json"), "utf8")).toBe("{ broken");
    const project = await install(world, { agents: ["one", "two"], scope: "project", json: true });
    expect(JSON.parse(project.out)).toMatchObject([
      { ok: true, agent: "one", scope: "project" },
      { ok: false, agent: "two", message: expect.stringContaining("no settings of the scope") },
    ]);
  });

  it("says what to type where no agent is named and nobody can be asked", async () => {
    const world = createWorld();
    addProgram(world, "agent-one");
    const { code, out, err } = await install(world, {});
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      "Name one or more agents, or use --all: toolgate install one. --all means one (found on this machine). Known agents: one, two.\n",
    );
    expect(await install(world, { agents: ["one"], all: true })).toMatchObject({ code: 1 });
    expect(files(world)).not.toContain("home/.one");
  });
});

describe("toolgate install at a terminal", () => {
  it("asks which agents, shows every line, and writes after a yes", async () => {
    const world = createWorld();
    addProgram(world, "agent-one");
    const person = personWho({ confirm: true });
    const { code, out } = await install(world, { person }, terminal);
    expect(code).toBe(0);
    expect(person.asked).toEqual([
      "Which agents are to ask toolgate before every tool call? Agent One: found on this machine, Agent Two",
      "Write this?",
    ]);
    const written = readFileSync(world.path("home/.one/hooks.json"), "utf8");
    for (const line of written.trimEnd().split("\n")) expect(out).toContain(`    + ${line}\n`);
  });

  it("writes nothing after a no, and asks nothing with --yes", async () => {
    const world = createWorld();
    const before = files(world);
    const no = personWho({ confirm: false });
    expect(await install(world, { agents: ["one"], person: no }, terminal)).toMatchObject({
      code: 1,
      err: "Nothing was changed.\n",
    });
    expect(files(world)).toEqual(before);
    const silent = personWho({});
    const { code } = await install(world, { agents: ["one"], yes: true, person: silent }, terminal);
    expect([code, silent.asked]).toEqual([0, []]);
  });

  it("only shows with --dry-run", async () => {
    const world = createWorld();
    const before = files(world);
    const { code, out } = await install(world, { agents: ["one", "two"], dryRun: true });
    expect(code).toBe(0);
    expect(out).toMatch(/Agent One\n {2}new file ~\/\.one\/hooks\.json\n {4}\+ \{/);
    expect(out).toMatch(/Agent Two\n {2}new file ~\/two\.toml\n {4}\+ \[\[hooks\]\]/);
    expect(out).toContain("Agent Two skips the hooks until you trust them");
    expect(files(world)).toEqual(before);
  });
});

describe("an agent that starts only approved hooks", () => {
  it("is told only after an explicit yes, and what is missing is said otherwise", async () => {
    const world = createWorld();
    const refused = await install(world, { agents: ["two"] });
    expect(refused.code).toBe(1);
    expect(refused.out).toContain("are written (~/two.toml), but not in force yet");
    expect(refused.out).toContain("Agent Two skips the hooks until you trust them: run two /trust.");
    expect(existsSync(world.path("home/trusted.toml"))).toBe(false);
    const person = personWho({ confirm: true });
    const agreed = await install(world, { agents: ["two"], yes: true, person }, terminal);
    expect([agreed.code, person.asked]).toEqual([0, ["Trust the hooks in Agent Two?"]]);
    expect(agreed.out).toContain("Writes trusted.toml.");
    expect(existsSync(world.path("home/trusted.toml"))).toBe(true);
  });

  it("is not taken for guarded when telling it fails", async () => {
    const world = createWorld();
    const known = agents(async () => ({ ok: false, message: "It did not listen." }));
    const { code, out } = await install(world, { agents: ["two"], trust: true, known, json: true });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([
      { ok: true, trust: { done: false, message: expect.stringContaining("It did not listen.") } },
    ]);
  });
});
