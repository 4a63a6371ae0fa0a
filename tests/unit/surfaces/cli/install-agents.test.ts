/** Several agents at once: which are meant, what is shown, who says yes, and what one failure means for the others. */
import { chmodSync, mkdirSync } from "node:fs";
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
import { expectEnd, fails, refuses, says } from "./expect-end.ts";
import { useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();

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

function install(options: Partial<InstallOptions>, io: Partial<CliIo> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((own) =>
    runInstall(
      { bundle, known: agents(), person: { ...nobody, choose: async () => undefined }, ...options },
      { ...own, ...io, env: { ...own.env, PATH: world.path("bin"), NO_COLOR: "1" } },
    ),
  );
}

const uninstall = (options: object = {}) =>
  world.run((io) => runUninstall({ known: agents(), all: true, ...options }, io));

const files = () => world.names().filter((name) => !name.startsWith("toolgate"));

function addProgram(name: string): void {
  chmodSync(world.write(`bin/${name}`, "#!/bin/sh\n"), 0o755);
}

describe("toolgate install with several agents", () => {
  it("writes into each of them, and takes itself out of all of them again", async () => {
    world.write("home/two.toml", "a = 1\n");
    const before = files();
    await expectEnd(install({ agents: ["two", "one"], trust: true }), {
      out: [
        "Agent One now asks toolgate before every tool call (~/.one/hooks.json)",
        "Agent Two now asks toolgate before every tool call (~/two.toml)",
        "toolgate uninstall one two   undo",
      ],
      err: "",
    });
    expect(world.exists("home/trusted.toml")).toBe(true);
    expect((await uninstall()).out).toContain("Took the hooks out of ~/trusted.toml, ~/two.toml");
    expect(files()).toEqual(before);
    expect(world.text("home/two.toml")).toBe("a = 1\n");
    await refuses(uninstall(), "Nothing of toolgate");
  });

  it("finds those that are on the machine by their program or their folder with --all", async () => {
    await refuses(install({ all: true }), "No agent that toolgate knows was found");
    mkdirSync(world.path("home/.one"));
    expect((await install({ all: true })).out).not.toContain("Agent Two");
    addProgram("agent-two");
    await says(
      install({ all: true, trust: true }),
      "Already installed in ~/.one/hooks.json",
      "Agent Two now asks toolgate",
    );
  });

  it("goes on with the others where one cannot be set up, writes no half of it, and ends with 1", async () => {
    world.write("home/.one/hooks.json", "{ broken");
    await expectEnd(install({ agents: ["one", "two"], trust: true }), {
      code: 1,
      out: "Agent Two now asks toolgate",
      err: "not valid JSON",
    });
    expect(world.text("home/.one/hooks.json")).toBe("{ broken");
    const project = await install({ agents: ["one", "two"], scope: "project", json: true });
    expect(JSON.parse(project.out)).toMatchObject([
      { ok: true, agent: "one", scope: "project" },
      { ok: false, agent: "two", message: expect.stringContaining("no settings of the scope") },
    ]);
  });

  it("says what to type where no agent is named and nobody can be asked", async () => {
    addProgram("agent-one");
    const { err } = await refuses(install({}));
    expect(err).toBe(
      "Name one or more agents, or use --all: toolgate install one. --all means one (found on this machine). Known agents: one, two.\n",
    );
    await fails(install({ agents: ["one"], all: true }));
    expect(files()).not.toContain("home/.one");
  });
});

describe("toolgate install at a terminal", () => {
  it("asks which agents, shows every line, and writes after a yes", async () => {
    addProgram("agent-one");
    const person = personWho({ confirm: true });
    const { out } = await says(install({ person }, terminal));
    expect(person.asked).toEqual([
      "Which agents are to ask toolgate before every tool call? Agent One: found on this machine, Agent Two",
      "Write this?",
    ]);
    const written = world.text("home/.one/hooks.json");
    for (const line of written.trimEnd().split("\n")) expect(out).toContain(`    + ${line}\n`);
  });

  it("writes nothing after a no, and asks nothing with --yes", async () => {
    const before = files();
    const no = personWho({ confirm: false });
    await expectEnd(install({ agents: ["one"], person: no }, terminal), {
      code: 1,
      err: /^Nothing was changed\.\n$/,
    });
    expect(files()).toEqual(before);
    const silent = personWho({});
    const { code } = await install({ agents: ["one"], yes: true, person: silent }, terminal);
    expect([code, silent.asked]).toEqual([0, []]);
  });

  it("only shows with --dry-run", async () => {
    const before = files();
    await says(
      install({ agents: ["one", "two"], dryRun: true }),
      /Agent One\n {2}new file ~\/\.one\/hooks\.json\n {4}\+ \{/,
      /Agent Two\n {2}new file ~\/two\.toml\n {4}\+ \[\[hooks\]\]/,
      "Agent Two skips the hooks until you trust them",
    );
    expect(files()).toEqual(before);
  });
});

describe("an agent that starts only approved hooks", () => {
  it("is told only after an explicit yes, and what is missing is said otherwise", async () => {
    await fails(
      install({ agents: ["two"] }),
      "are written (~/two.toml), but not in force yet",
      "Agent Two skips the hooks until you trust them: run two /trust.",
    );
    expect(world.exists("home/trusted.toml")).toBe(false);
    const person = personWho({ confirm: true });
    const agreed = await install({ agents: ["two"], yes: true, person }, terminal);
    expect([agreed.code, person.asked]).toEqual([0, ["Trust the hooks in Agent Two?"]]);
    expect(agreed.out).toContain("Writes trusted.toml.");
    expect(world.exists("home/trusted.toml")).toBe(true);
  });

  it("is not taken for guarded when telling it fails", async () => {
    const known = agents(async () => ({ ok: false, message: "It did not listen." }));
    const { out } = await fails(install({ agents: ["two"], trust: true, known, json: true }));
    expect(JSON.parse(out)).toMatchObject([
      { ok: true, trust: { done: false, message: expect.stringContaining("It did not listen.") } },
    ]);
  });
});
