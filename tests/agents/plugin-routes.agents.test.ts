/** Routes that come with another plugin, installed by the client's own commands from a marketplace on this disk. */
import { expect, it } from "vitest";
import { shared } from "./real/agent-bench.ts";
import { bash, callOnce, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const touch = (name: string) => bash(`touch ${name}.txt`, name);
const route = (name: string, word: string, message: string) =>
  `routes:\n  ${name}: { tool: Bash, pattern: "${word}", message: "${message}" }\n`;
const allow = { allow: ["Bash"] };

describeClaudeCode("the routes of another plugin", () => {
  const installed = shared(async (onEnd) => {
    const bench = createWorkbench({ onEnd });
    await installTeamPlugin(bench);
    return bench;
  });
  const made = (bench: Workbench, ...names: string[]) =>
    names.filter((name) => bench.has(`project/${name}.txt`));

  it("hold while it is installed: its own file and those its manifest lists", async () => {
    const bench = await installed();
    const names = ["alpha", "beta", "gamma"];
    const { result } = await runSession(bench, [names.map(touch), "Done."], allow);
    for (const name of ["alpha", "beta"])
      expect(result(name).text).toContain(`The team does not use ${name}.`);
    expect(made(bench, ...names)).toEqual(["gamma"]);
  });

  it("are listed by toolgate with the file they come from", async () => {
    const { code, stdout } = await (await installed()).toolgate(["list"]);
    expect(code).toBe(0);
    for (const said of [
      "no-alpha",
      "market/team/hooks/tool-routes.yaml",
      "market/team/skills/pr/tool-routes.yaml",
    ])
      expect(stdout).toContain(said);
  });

  it("go with the plugin when it is disabled, and come back with it", async () => {
    const bench = await installed();
    for (const [verb, isError] of [
      ["disable", false],
      ["enable", true],
    ] as const) {
      expect((await bench.claude(["plugin", verb, "team@local-market"])).code).toBe(0);
      expect((await callOnce(bench, touch("alpha"), allow)).isError, verb).toBe(isError);
    }
  });

  it("follow their file from the next call on, in the same session", async () => {
    const bench = await installed();
    const change = () => {
      bench.write("market/team/hooks/tool-routes.yaml", route("no-alpha", "delta", "No delta any more."));
      return touch("delta-2");
    };
    const { result } = await runSession(bench, [touch("delta-1"), change, "Done."], allow);
    expect(result("delta-2").text).toContain("No delta any more.");
    expect(made(bench, "delta-1", "delta-2")).toEqual(["delta-1"]);
  });
});

async function installTeamPlugin(bench: Workbench): Promise<void> {
  bench.write("market/.claude-plugin/marketplace.json", {
    name: "local-market",
    owner: { name: "Team" },
    plugins: [{ name: "team", source: "./team", description: "The team's habits." }],
  });
  bench.write("market/team/.claude-plugin/plugin.json", {
    name: "team",
    version: "1.0.0",
    description: "Habits.",
  });
  bench.write(
    "market/team/hooks/tool-routes.yaml",
    route("no-alpha", "alpha", "The team does not use alpha."),
  );
  bench.write("market/team/.claude-plugin/routes.json", { routes: ["./skills/pr/tool-routes.yaml"] });
  bench.write(
    "market/team/skills/pr/tool-routes.yaml",
    route("no-beta", "beta", "The team does not use beta."),
  );
  for (const args of [
    ["plugin", "marketplace", "add", bench.path("market")],
    ["plugin", "install", "team@local-market"],
  ]) {
    const { code, stdout, stderr } = await bench.claude(args);
    expect(code, `claude ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
  }
}
