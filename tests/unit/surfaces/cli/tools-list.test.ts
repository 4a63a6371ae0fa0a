import { describe, expect, it } from "vitest";
import type { ToolView } from "../../../../src/gate/gate-tools.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const namesIn = (text: string) => text.trim().split(/\s+/);

/** Every one of them only reads, but for the last two: what those pass on is judged as a call of its own. */
const byDefault = namesIn(`
  code.definitions fs.list fs.read fs.stat fs.view_image git.diff git.diff_summary git.log
  git.status mcp.prompt_get mcp.prompt_list mcp.resource_list mcp.resource_read search.codebase
  search.glob search.grep skill.load task.ask task.complete task.handoff task.mode task.todo
  tools.describe tools.search workspace.info mcp.call tools.call
`);

const development = namesIn(`
  fs.apply_diff fs.apply_patch fs.delete fs.edit fs.mkdir fs.move fs.write git.checkpoint
  git.commit shell.exec shell.input shell.kill shell.list shell.output
`);

async function listed(...argv: string[]): Promise<ToolView[]> {
  return ((await world.json(["tools", "list", ...argv])) as { tools: ToolView[] }).tools;
}

async function callable(...argv: string[]): Promise<string[]> {
  const tools = await listed("--all", ...argv);
  return tools
    .filter((tool) => tool.callable)
    .map(({ id }) => id)
    .sort();
}

describe("toolgate tools list", () => {
  it("lets only reading tools be called by default", async () => {
    const tools = (await listed()).filter(({ permission }) => permission !== "read");
    expect(tools).toEqual([]);
    expect(await callable()).toEqual([...byDefault].sort());
  });

  it("opens editing, shell and git's writing tools with development, and nothing else", async () => {
    expect(await callable("--enable-tool-categories", "development")).toEqual(
      [...byDefault, ...development].sort(),
    );
  });

  it("opens each of several named categories", async () => {
    const opened = (await callable("--enable-tool-categories", "shell, editing")).filter(
      (id) => !byDefault.includes(id),
    );
    expect(opened).toEqual(development.filter((id) => !id.startsWith("git.")));
  });

  it("opens everything with --enable-tools", async () => {
    const all = await listed("--all", "--enable-tools");
    expect(all.filter((tool) => !tool.callable)).toEqual([]);
    expect(all.every(({ source }) => source.kind === "builtin")).toBe(true);
  });

  it("opens what the configuration says, unless --no-enable-tools closes everything", async () => {
    const file = world.file("on.yaml", "tools: {enabled_categories: [development]}\n");
    expect(await callable("--config", file)).toEqual([...byDefault, ...development].sort());
    expect(await callable("--config", file, "--no-enable-tools")).toEqual([]);
    const all = world.file("all.yaml", "tools: {enable_all: true}\n");
    expect(await callable("--config", all)).toContain("cs.ticket_update");
    expect(await callable("--config", all, "--no-enable-tools")).toEqual([]);
  });

  it("opens only the named categories with --no-enable-tools", async () => {
    const opened = await callable("--no-enable-tools", "--enable-tool-categories", "search,workspace");
    expect(opened).toEqual(["search.codebase", "search.glob", "search.grep", "workspace.info"]);
  });

  it("opens the named categories on top of the defaults with --enable-tools, not everything", async () => {
    const all = world.file("all.yaml", "tools: {enable_all: true}\n");
    const opened = ["--config", all, "--enable-tools", "--enable-tool-categories", "development"];
    expect(await callable(...opened)).toEqual([...byDefault, ...development].sort());
  });

  it("leaves closed what the configuration switches off, and says so when a flag names it", async () => {
    const file = world.file("off.yaml", "tools: {enabled_categories: {editing: true, shell: false}}\n");
    const all = await callable("--config", file, "--enable-tools");
    expect(all).toContain("fs.write");
    expect(all.filter((id) => id.startsWith("shell."))).toEqual([]);
    for (const names of ["shell", "development"]) {
      await refuses(
        world.run(["tools", "list", "--config", file, "--enable-tool-categories", names]),
        `The category "${names}" is switched off in the configuration`,
      );
    }
  });

  it("knows categories of the configuration, also for plugin tools, with their ceilings", async () => {
    const plugin = (name: string, permission: string) =>
      world.file(
        `../home/.config/toolgate/tools/${name}.json`,
        JSON.stringify({
          name,
          tools: [
            {
              name,
              description: "Deploys.",
              category: "deployment",
              permission,
              inputSchema: { type: "object" },
              handler: { type: "shell", command: "true" },
            },
          ],
        }),
      );
    plugin("deploy", "execute");
    const deployment = (ceiling: string) =>
      world.file(
        "../home/.config/toolgate/config.yaml",
        `categories: {deployment: {description: Deploys., ceiling: ${ceiling}}}\n`,
      );
    deployment("execute");
    expect(await callable("--category", "deployment")).toEqual(["deploy"]);
    deployment("read");
    await says(world.run("tools list --all --category deployment"), "deployment (on, at most read)");
    expect(await callable("--category", "deployment")).toEqual([]);
  });

  it("does not let a project that nobody trusts open anything, and says so", async () => {
    world.file("toolgate.yaml", "tools: {enable_all: true}\n");
    expect(await callable()).toEqual([...byDefault].sort());
    await expectEnd(world.run("tools list"), { err: "not trusted" });
  });

  it("leaves only reading in plan mode, and shells for commands that read", async () => {
    const tools = await listed("--enable-tools", "--mode", "plan");
    const more = tools.filter(({ permission }) => permission !== "read").map(({ id }) => id);
    expect(more.every((id) => id.startsWith("shell.") || id === "code.diagnostics")).toBe(true);
  });

  it("prints a line for each tool under its category, and how many there are", async () => {
    await expectEnd(world.run("tools list"), {
      out: /^filesystem \(on, at most read\)\n {2}fs\.read +read +Read files\n/,
      err: /^27 of \d+ tools can be called\. .*toolgate tools list --all\n$/,
      never: "editing",
    });
  });

  it("says with --all what opens the others", async () => {
    await says(
      world.run("tools list --all"),
      / fs\.write .*not callable: category_disabled \(--enable-tool-categories editing\)\n/,
      / git\.commit .*above_ceiling \(--enable-tool-categories development\)\n/,
      / code\.diagnostics .*above_ceiling \(--enable-tools, or .*tools: \{ ceilings: \{ code: execute \} \} in your config\.yaml\)\n/,
    );
  });

  it("lists one category, or what a name for several stands for", async () => {
    const names = async (category: string) =>
      (await listed("--all", "--category", category)).map(({ id }) => id);
    expect(await names("workspace")).toEqual(["workspace.info"]);
    expect((await names("development")).sort()).toEqual(
      [...development, "git.status", "git.diff_summary", "git.diff", "git.log"].sort(),
    );
  });

  it.each([
    [["--category", "developmnt"], "Did you mean development?"],
    [["--category", "nonsense"], "Known: filesystem, "],
    [["--enable-tool-categories", "edting"], 'did you mean "editing"?'],
  ])("refuses %j", async (argv, message) => {
    await refuses(world.run(["tools", "list", ...argv]), message);
  });

  it("lists nothing with a configuration that cannot be used", async () => {
    const file = world.file("bad.yaml", "routes: 7\n");
    await refuses(world.run(["tools", "list", "--config", file]), "bad.yaml:1:");
  });
});

describe("toolgate tools", () => {
  it("prints its help", async () => {
    await says(world.run("tools"), "toolgate tools call fs.read");
  });
});
