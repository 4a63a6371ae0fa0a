import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../src/core/call/content.ts";
import type { Outcome } from "../../../src/index.ts";
import { openConfig } from "../../../src/open/open-config.ts";
import { openTools, type ToolsRequest } from "../../../src/open/open-tools.ts";
import { serveHttp } from "../safe/net/safe-fetch-servers.ts";

const skill = (name: string, text: string) => `---\nname: ${name}\ndescription: ${text}\n---\n\n${text}\n`;

/** A project and a home with these files, and a gate with the built-in tools over them. */
async function open(files: Readonly<Record<string, string>>, request: Partial<ToolsRequest> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-open-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name.replace(/^config\//, "home/.config/toolgate/"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const config = await openConfig({ cwd: project, env: { HOME: join(folder, "home") } });
  expect(config.problems).toEqual([]);
  const opened = await openTools(config, { durable: false, ...request });
  onTestFinished(() => opened.close());
  const call = (tool: string, input: unknown): Promise<Outcome> =>
    opened.gate.dispatch({ tool, input, sessionId: "s1" });
  const say = async (tool: string, input: unknown) => {
    const outcome = await call(tool, input);
    return outcome.ok ? textOf(outcome.result) : `${outcome.error.code} ${outcome.error.message}`;
  };
  return { folder, project, gate: opened.gate, call, say };
}

describe("skills", () => {
  it("come from the user's folder first, then from the project's two", async () => {
    const { say } = await open({
      "config/skills/one/SKILL.md": skill("one", "The user's."),
      "project/.claude/skills/one/SKILL.md": skill("one", "The project's."),
      "project/.claude/skills/two/SKILL.md": skill("two", "Of Claude Code."),
      "project/.toolgate/skills/three/SKILL.md": skill("three", "Of toolgate."),
    });
    expect(await say("skill.load", {})).toBe("one: The user's.\ntwo: Of Claude Code.\nthree: Of toolgate.");
    expect(await say("Skill", { skill: "two" })).toContain("Of Claude Code.");
  });

  it("are not there where no folder is, and are there once one is made", async () => {
    const { say, project } = await open({});
    expect(await say("skill.load", {})).toContain("no folder with skills");
    mkdirSync(join(project, ".toolgate/skills/new"), { recursive: true });
    writeFileSync(join(project, ".toolgate/skills/new/SKILL.md"), skill("new", "New."));
    expect(await say("skill.load", {})).toBe("new: New.");
  });

  it("are not taken from a folder that a link of the project leads to", async () => {
    const { say, project, folder } = await open({ "elsewhere/x/SKILL.md": skill("x", "X.") });
    mkdirSync(join(project, ".claude"));
    symlinkSync(join(folder, "elsewhere"), join(project, ".claude/skills"));
    expect(await say("skill.load", {})).toContain("no folder with skills");
  });
});

describe("the search service of the configuration", () => {
  const answering = async (answer: object) => {
    const asked: { url: string | undefined; key: unknown }[] = [];
    const server = await serveHttp((request, response) => {
      asked.push({ url: request.url, key: request.headers["x-subscription-token"] });
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    onTestFinished(() => server.close());
    return { asked, url: `http://127.0.0.1:${server.port}/search` };
  };
  const hit = { title: "A", url: "https://a.example/", content: "About A.", description: "About A." };
  const webOn = "tools: {enabled_categories: [web]}\npolicies: {w: {tools: web.search, action: approve}}\n";
  const config = (search: string) => ({ "config/config.yaml": `${webOn}web: {search: {${search}}}\n` });

  it("is asked as SearXNG is", async () => {
    const { asked, url } = await answering({ results: [hit] });
    const { say } = await open(config(`url: '${url}', allow_private: true`));
    expect(await say("WebSearch", { query: "a & b" })).toContain("1. A\n   https://a.example/\n   About A.");
    expect(asked).toEqual([{ url: "/search?q=a%20%26%20b&format=json", key: undefined }]);
  });

  it("is asked as Brave is, with the key of the environment", async () => {
    const { asked, url } = await answering({ web: { results: [hit] } });
    const files = config(`url: '${url}', format: brave, key_env: MY_KEY, allow_private: true`);
    const { say } = await open(files, { env: { MY_KEY: "k-1" } });
    expect(await say("web.search", { query: "x", limit: 3 })).toContain("1. A\n");
    expect(asked).toEqual([{ url: "/search?q=x&count=3", key: "k-1" }]);
    const keyless = await open(files, { env: {} });
    expect(await keyless.say("web.search", { query: "x" })).toContain("MY_KEY");
    expect(asked).toHaveLength(1);
  });

  it("is not asked in one's own network unless the file says that it is there", async () => {
    const { asked, url } = await answering({ results: [hit] });
    const { say } = await open(config(`url: '${url}'`));
    const failed = /^tool_failed The search at 127\.0\.0\.1:\d+ failed/;
    expect(await say("web.search", { query: "x" })).toMatch(failed);
    expect(asked).toEqual([]);
  });

  it("is not chosen by a project that nobody trusts", async () => {
    const { asked, url } = await answering({ results: [hit] });
    const theirs = `web: {search: {url: '${url}', allow_private: true}}\n`;
    const { say } = await open({ "config/config.yaml": webOn, "project/toolgate.yaml": theirs });
    expect(await say("web.search", { query: "x" })).toContain("No web search is configured");
    expect(asked).toEqual([]);
  });
});

describe("ceilings of the configuration", () => {
  const tools = (words: string) => ({ "config/config.yaml": `tools: {${words}}\n` });
  const diagnostics = async (files: Readonly<Record<string, string>>, request?: ToolsRequest) => {
    const { gate } = await open(files, request);
    return gate.tools.view().find(({ id }) => id === "code.diagnostics");
  };

  it("open code.diagnostics, which development does not, and say so where they are missing", async () => {
    const why = { code: "above_ceiling", hint: expect.stringContaining("tools.ceilings") };
    const development = await diagnostics(tools("enabled_categories: [development]"));
    expect(development).toMatchObject({ callable: false, why });
    const raised = tools("ceilings: {code: execute}");
    expect(await diagnostics(raised)).toMatchObject({ callable: true });
    expect(await diagnostics(raised, { durable: false, ceilings: {} })).toMatchObject({ callable: false });
  });

  it("can be lower than by default, also of what development opens", async () => {
    const { gate } = await open(tools("enabled_categories: [development], ceilings: {git: read}"));
    expect(gate.categories.get("git")).toMatchObject({ enabled: true, ceiling: "read" });
  });

  it("are not raised by a project that nobody trusts", async () => {
    const theirs = { "project/toolgate.yaml": "tools: {ceilings: {code: execute}}\n" };
    expect(await diagnostics(theirs)).toMatchObject({ callable: false });
  });

  it("must name a category there is", async () => {
    await expect(open({}, { ceilings: { coode: "execute" } })).rejects.toThrow('did you mean "code"?');
  });
});

describe("tools that the configuration hides", () => {
  it("are unknown to the callers that it names, also to a search for tools", async () => {
    const hidden = "tools: {hidden: [{caller: 'ci-*', categories: [git], tools: Read}]}\n";
    const { gate } = await open({ "config/config.yaml": hidden });
    const ask = async (id: string, tool: string, input: object) => {
      const outcome = await gate.dispatch({ tool, input, caller: { id, capabilities: ["*"] } });
      return outcome.ok ? textOf(outcome.result) : outcome.error.code;
    };
    expect(await ask("ci-1", "git.status", {})).toBe("unknown_tool");
    expect(await ask("ci-1", "fs.read", { path: "x" })).toBe("unknown_tool");
    expect(await ask("ci-1", "tools.call", { name: "git_status", arguments: {} })).toBe("unknown_tool");
    expect(await ask("ci-1", "tools.search", { query: "git status" })).not.toContain("git_status");
    expect(await ask("ann", "tools.search", { query: "git status" })).toContain("git_status");
    expect(await ask("ann", "fs.list", { path: "." })).not.toBe("unknown_tool");
  });
});

describe("a file that changed since the session read it", () => {
  const editing = "tools: {enabled_categories: [editing]}\npolicies: {w: {tools: 'fs.*', action: approve}}\n";
  const files = { "config/config.yaml": editing, "project/a.txt": "one\ntwo\n" };
  const edit = { path: "a.txt", old_string: "one", new_string: "1" };

  it("is not edited or written over until it is read again", async () => {
    const { say, project } = await open(files);
    await say("fs.read", { path: "a.txt", limit: 1 });
    writeFileSync(join(project, "a.txt"), "one\nsomebody else's\n");
    const again = "changed since this session read it. Read it again";
    expect(await say("fs.edit", edit)).toContain(again);
    expect(await say("fs.write", { path: "a.txt", content: "new\n" })).toContain(again);
    await say("Read", { file_path: "a.txt" });
    expect(await say("fs.edit", edit)).toContain("+1");
    expect(await say("fs.edit", { ...edit, old_string: "1", new_string: "one" })).toContain("+one");
  });

  it("may be edited by a session that never read it", async () => {
    const { say, gate, project } = await open(files);
    await gate.dispatch({ tool: "fs.read", input: { path: "a.txt" }, sessionId: "other" });
    writeFileSync(join(project, "a.txt"), "one\nsomebody else's\n");
    expect(await say("fs.edit", edit)).toContain("+1");
  });
});

describe("questions", () => {
  it("go to whoever the surface names", async () => {
    const asked: string[] = [];
    const questioner = {
      ask: async ({ questions }: { questions: readonly { question: string }[] }) => {
        asked.push(...questions.map(({ question }) => question));
        return { answers: [{ chosen: [0] }] };
      },
    };
    const { say } = await open({}, { questioner });
    expect(await say("task.ask", { question: "Which?", options: ["this", "that"] })).toBe("this");
    expect(asked).toEqual(["Which?"]);
  });
});
