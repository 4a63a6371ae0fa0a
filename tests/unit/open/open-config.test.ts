import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../src/config/config-problem.ts";
import { addTrust } from "../../../src/config/trust/trust.ts";
import { openConfig, openGate } from "../../../src/open/open-config.ts";
import { readTextFile } from "../../../src/safe/files/documents/read-text-file.ts";
import { createWorld, oneRoute, type World } from "../config/world.ts";

function open(world: World, env: Record<string, string> = {}, configFile?: string) {
  return openConfig({ cwd: world.project, env: { ...world.env, ...env }, configFile });
}

async function verdict(world: World, tool: string, input: object): Promise<string> {
  await using gate = await openGate(await open(world));
  const { verdict: said, message } = await gate.check({ tool, input, cwd: world.project }, { wait: false });
  return message === undefined ? said : `${said}: ${message}`;
}

describe("opening the configuration of a folder", () => {
  it("finds the shipped routes where nobody wrote anything", async () => {
    const world = createWorld();
    const { problems, sources, projectDir } = await open(world);
    expect(problems).toEqual([]);
    expect(projectDir).toBe(world.project);
    expect(sources.map(({ origin }) => origin)).toEqual(["shipped"]);
    expect(await verdict(world, "WebFetch", { url: "https://github.com/foo/bar/pull/123" })).toContain(
      "gh pr view",
    );
    expect(await verdict(world, "WebFetch", { url: "https://github.com/foo/bar" })).toBe("abstain");
  });

  it("compiles the rules once, also for a gate that adds policies of its own", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), oneRoute("mine"));
    const config = await open(world);
    const unread = { ...config, rules: { ...config.rules, routes: [] } };
    const policies = [{ name: "added", tools: "WebFetch", action: "ask" as const, priority: 5 }];
    await using gate = await openGate(unread, { policies });
    expect(gate.rules.routes.map(({ name }) => name)).toContain("mine");
    expect(gate.rules.policies.map(({ name }) => name)[0]).toBe("added");
  });

  it("refuses a policy of a gate's own whose name a file has", async () => {
    const world = createWorld();
    const file = join(world.folders.config, "config.yaml");
    world.write(file, "policies:\n  - {name: taken, tools: Bash, action: ask}\n");
    const policies = [{ name: "taken", tools: "WebFetch", action: "deny" as const }];
    await expect(openGate(await open(world), { policies })).rejects.toThrow(
      `policy "taken": the name is also used in ${file}:2; rename one of them.`,
    );
  });

  it("names both files and places when two sources have the same route", async () => {
    const world = createWorld();
    const user = world.write(join(world.folders.config, "config.yaml"), oneRoute("twice"));
    const project = world.write("toolgate.yaml", `# a comment\n${oneRoute("twice")}`);
    const { problems } = await open(world);
    expect(problems.map(describeConfigProblem)).toEqual([
      `${project}:3:3: route "twice": the name is also used in ${user}:2:3; rename one of them.`,
    ]);
  });

  it("says where a pattern is that cannot be used", async () => {
    const world = createWorld();
    const file = world.write("toolgate.yaml", "routes:\n  bad: { tool: Bash, pattern: '(', message: m }\n");
    const [problem] = (await open(world)).problems.map(describeConfigProblem);
    expect(problem).toBe(`${file}:2:3: route "bad": its pattern cannot be used.`);
    const read = readTextFile(file);
    if (read.ok) addTrust(world.folders.state, [{ path: file, sha256: read.sha256 }]);
    const [told] = (await open(world)).problems.map(describeConfigProblem);
    expect(told).toMatch(new RegExp(`^${file}:2:3: route "bad": The pattern /\\(/ is refused`));
  });

  it("reads the route files that TOOLGATE_ROUTES names, relative to the folder, and needs all of them", async () => {
    const world = createWorld();
    world.write("extra.yaml", oneRoute("extra"));
    const { rules, problems } = await open(world, { TOOLGATE_ROUTES: "extra.yaml" });
    expect(problems).toEqual([]);
    expect(rules.routes?.[0]).toMatchObject({ name: "extra", tier: "plugin" });
    const missing = await open(world, { TOOLGATE_ROUTES: `extra.yaml:${world.project}/none.yaml` });
    expect(missing.problems.map(describeConfigProblem)).toEqual([
      `${world.project}/none.yaml: There is no such file.`,
    ]);
  });

  it("takes a file that is reached in two ways once", async () => {
    const world = createWorld();
    const file = world.write(".claude/tool-routes.yaml", oneRoute("once"));
    const { rules, problems } = await open(world, { TOOLGATE_ROUTES: file });
    expect(problems).toEqual([]);
    expect(rules.routes?.filter(({ name }) => name === "once")).toHaveLength(1);
  });

  it("takes the routes of enabled agent plugins, above those of the user", async () => {
    const world = createWorld();
    const root = join(world.home, ".claude/skills/helper");
    world.write(join(root, ".claude-plugin/plugin.json"), '{"name":"helper"}');
    world.write(join(root, "hooks/tool-routes.yaml"), oneRoute("from-plugin"));
    world.write(join(world.folders.config, "config.yaml"), oneRoute("from-user"));
    const { rules, sources } = await open(world);
    expect(rules.routes?.slice(0, 2).map(({ name, tier }) => `${name} ${tier}`)).toEqual([
      "from-plugin plugin",
      "from-user user",
    ]);
    expect(sources[0]?.plugin).toContain("helper");
  });

  it("leaves everything else out when one file is named", async () => {
    const world = createWorld();
    world.write("toolgate.yaml", oneRoute("project"));
    world.write("alone.yaml", oneRoute("alone", "action: allow"));
    const { rules, sources, problems } = await open(world, {}, "alone.yaml");
    expect(problems).toEqual([]);
    expect(sources.map(({ origin, trusted }) => `${origin} ${trusted}`)).toEqual(["option true"]);
    expect(rules.routes?.map(({ name, tier }) => `${name} ${tier}`)).toEqual(["alone user"]);
    expect((await open(world, {}, "none.yaml")).problems.map(describeConfigProblem)).toEqual([
      `${world.project}/none.yaml: There is no such file.`,
    ]);
  });

  it("makes a gate that follows the rules and the default for silence", async () => {
    const world = createWorld();
    world.write("toolgate.yaml", `${oneRoute("mine")}hooks: { default: deny }\n`);
    expect(await verdict(world, "Bash", { command: "run forbidden-mine" })).toBe("deny: Do something else.");
    expect(await verdict(world, "Bash", { command: "ls" })).toContain("deny");
  });
});
