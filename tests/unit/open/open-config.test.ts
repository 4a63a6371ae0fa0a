import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeConfigProblem } from "../../../src/config/config-problem.ts";
import { type OpenConfig, openGate } from "../../../src/open/open-config.ts";
import { createWorld, oneRoute, type World } from "../config/world.ts";

const told = ({ problems }: OpenConfig) => problems.map(describeConfigProblem);
const tiers = ({ rules }: OpenConfig) => rules.routes?.map(({ name, tier }) => `${name} ${tier}`);
/** With route files that the variable names. */
const withRoutes = (world: World, TOOLGATE_ROUTES: string) =>
  world.open({ env: { ...world.env, TOOLGATE_ROUTES } });

async function verdict(world: World, tool: string, input: object): Promise<string> {
  await using gate = await openGate(await world.open());
  const { verdict: said, message } = await gate.check({ tool, input, cwd: world.project }, { wait: false });
  return message === undefined ? said : `${said}: ${message}`;
}

describe("opening the configuration of a folder", () => {
  it("finds the shipped routes where nobody wrote anything", async () => {
    const world = createWorld();
    const { problems, sources, projectDir } = await world.open();
    expect(problems).toEqual([]);
    expect(projectDir).toBe(world.project);
    expect(sources.map(({ origin }) => origin)).toEqual(["shipped"]);
    expect(await verdict(world, "WebFetch", { url: "https://github.com/foo/bar/pull/123" })).toContain(
      "gh pr view",
    );
    expect(await verdict(world, "WebFetch", { url: "https://github.com/foo/bar" })).toBe("abstain");
  });

  it("refuses a policy of a gate's own whose name a file has", async () => {
    const world = createWorld();
    const file = world.user("policies:\n  - {name: taken, tools: Bash, action: ask}\n");
    const policies = [{ name: "taken", tools: "WebFetch", action: "deny" as const }];
    await expect(openGate(await world.open(), { policies })).rejects.toThrow(
      `policy "taken": the name is also used in ${file}:2; rename one of them.`,
    );
  });

  it("names both files and places when two sources have the same route", async () => {
    const world = createWorld();
    const user = world.user(oneRoute("twice"));
    const project = world.write("toolgate.yaml", `# a comment\n${oneRoute("twice")}`);
    expect(told(await world.open())).toEqual([
      `${project}:3:3: route "twice": the name is also used in ${user}:2:3; rename one of them.`,
    ]);
  });

  it("says where a pattern is that cannot be used", async () => {
    const world = createWorld();
    const file = world.write("toolgate.yaml", "routes:\n  bad: { tool: Bash, pattern: '(', message: m }\n");
    expect(told(await world.open())[0]).toBe(`${file}:2:3: route "bad": its pattern cannot be used.`);
    world.trust(file);
    const refused = new RegExp(`^${file}:2:3: route "bad": The pattern /\\(/ is refused`);
    expect(told(await world.open())[0]).toMatch(refused);
  });

  it("reads the route files that TOOLGATE_ROUTES names, relative to the folder, and needs all of them", async () => {
    const world = createWorld();
    world.write("extra.yaml", oneRoute("extra"));
    const { rules, problems } = await withRoutes(world, "extra.yaml");
    expect(problems).toEqual([]);
    expect(rules.routes?.[0]).toMatchObject({ name: "extra", tier: "plugin" });
    const none = `${world.project}/none.yaml`;
    expect(told(await withRoutes(world, `extra.yaml:${none}`))).toEqual([`${none}: There is no such file.`]);
  });

  it("takes a file that is reached in two ways once", async () => {
    const world = createWorld();
    const file = world.write(".claude/tool-routes.yaml", oneRoute("once"));
    const { rules, problems } = await withRoutes(world, file);
    expect(problems).toEqual([]);
    expect(rules.routes?.filter(({ name }) => name === "once")).toHaveLength(1);
  });

  it("takes the routes of enabled agent plugins, above those of the user", async () => {
    const world = createWorld({ user: oneRoute("from-user") });
    const root = join(world.home, ".claude/skills/helper");
    world.write(join(root, ".claude-plugin/plugin.json"), '{"name":"helper"}');
    world.write(join(root, "hooks/tool-routes.yaml"), oneRoute("from-plugin"));
    const config = await world.open();
    expect(tiers(config)?.slice(0, 2)).toEqual(["from-plugin plugin", "from-user user"]);
    expect(config.sources[0]?.plugin).toContain("helper");
  });

  it("leaves everything else out when one file is named", async () => {
    const world = createWorld({ project: oneRoute("project") });
    world.write("alone.yaml", oneRoute("alone", "action: allow"));
    const config = await world.open({ configFile: "alone.yaml" });
    expect(config.problems).toEqual([]);
    expect(config.sources.map(({ origin, trusted }) => `${origin} ${trusted}`)).toEqual(["option true"]);
    expect(tiers(config)).toEqual(["alone user"]);
    const missing = await world.open({ configFile: "none.yaml" });
    expect(told(missing)).toEqual([`${world.project}/none.yaml: There is no such file.`]);
  });

  it("makes a gate that follows the rules and the default for silence", async () => {
    const world = createWorld({ project: `${oneRoute("mine")}hooks: { default: deny }\n` });
    expect(await verdict(world, "Bash", { command: "run forbidden-mine" })).toBe("deny: Do something else.");
    expect(await verdict(world, "Bash", { command: "ls" })).toContain("deny");
  });
});
