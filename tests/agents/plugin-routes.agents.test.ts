/** Routes that come with another plugin, installed by the client's own commands from a marketplace on this disk. */
import { expect, it } from "vitest";
import { callOnce, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const route = (name: string, word: string, message: string) =>
  `routes:\n  ${name}: { tool: Bash, pattern: "${word}", message: "${message}" }\n`;

describeClaudeCode("the routes of another plugin", () => {
  it("hold while it is installed: its own file and those its manifest lists", async () => {
    const bench = createWorkbench();
    await installTeamPlugin(bench);
    const session = await runSession(
      bench,
      [
        [
          { ...bash("touch alpha.txt"), id: "toolu_alpha" },
          { ...bash("touch beta.txt"), id: "toolu_beta" },
          { ...bash("touch gamma.txt"), id: "toolu_gamma" },
        ],
        "Done.",
      ],
      { allow: ["Bash"] },
    );
    expect(session.result("toolu_alpha").text).toContain("The team does not use alpha.");
    expect(session.result("toolu_beta").text).toContain("The team does not use beta.");
    expect(session.result("toolu_gamma").isError).toBe(false);
    expect(["alpha", "beta", "gamma"].map((name) => bench.has(`project/${name}.txt`))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("follow their file from the next call on, in the same session", async () => {
    const bench = createWorkbench();
    await installTeamPlugin(bench);
    const session = await runSession(
      bench,
      [
        { ...bash("touch delta-1.txt"), id: "toolu_before" },
        () => {
          bench.write("market/team/hooks/tool-routes.yaml", route("no-alpha", "delta", "No delta any more."));
          return { ...bash("touch delta-2.txt"), id: "toolu_after" };
        },
        "Done.",
      ],
      { allow: ["Bash"] },
    );
    expect(session.result("toolu_before").isError).toBe(false);
    expect(session.result("toolu_after").text).toContain("No delta any more.");
    expect([bench.has("project/delta-1.txt"), bench.has("project/delta-2.txt")]).toEqual([true, false]);
  });

  it("go with the plugin when it is disabled, and come back with it", async () => {
    const bench = createWorkbench();
    await installTeamPlugin(bench);
    expect((await callOnce(bench, bash("touch alpha.txt"), { allow: ["Bash"] })).isError).toBe(true);
    expect((await bench.claude(["plugin", "disable", "team@local-market"])).code).toBe(0);
    expect((await callOnce(bench, bash("touch alpha.txt"), { allow: ["Bash"] })).isError).toBe(false);
    expect((await bench.claude(["plugin", "enable", "team@local-market"])).code).toBe(0);
    expect((await callOnce(bench, bash("touch alpha.txt"), { allow: ["Bash"] })).isError).toBe(true);
  });

  it("are listed by toolgate with the file they come from", async () => {
    const bench = createWorkbench();
    await installTeamPlugin(bench);
    const listed = await bench.toolgate(["list"]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("no-alpha") });
    expect(listed.stdout).toContain("market/team/hooks/tool-routes.yaml");
    expect(listed.stdout).toContain("market/team/skills/pr/tool-routes.yaml");
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
