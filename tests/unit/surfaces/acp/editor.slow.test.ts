/** An editor, by the client of the protocol's own SDK, and `toolgate acp` as the program that it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { createScriptedModel, type Script } from "../../../../src/testing/index.ts";

const cli = resolve(import.meta.dirname, "../../../../src/cli.ts");

interface EditorOptions {
  readonly script: Script;
  readonly args?: readonly string[];
  /** The folder that the program is started in. Default: the project. */
  readonly startsAt?: "home" | "project";
  /** What the person at the editor answers. */
  readonly permission?: (
    request: RequestPermissionRequest,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
}

async function editorWorld(options: EditorOptions) {
  const { script, args = [], startsAt = "project", permission } = options;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "acp-editor-")));
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const model = await createScriptedModel({ script });
  const config = join(home, ".config/toolgate/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(
    config,
    `sessions:
  runners:
    model: { type: chat, api: openai, base_url: '${model.url}/v1', model: scripted }
tools: { enabled_categories: [shell, editing] }
`,
  );
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  /** One run of `toolgate acp`, and the editor beside it. */
  async function open() {
    const env = { HOME: home, PATH: process.env.PATH ?? "", LANG: "C.UTF-8" };
    const cwd = startsAt === "home" ? home : project;
    const child = spawn(process.execPath, [cli, "acp", ...args], { cwd, env, stdio: "pipe" });
    children.push(child);
    let stderr = "";
    let stdout = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    const updates: SessionUpdate[] = [];
    const asked: RequestPermissionRequest[] = [];
    const connection = client({ name: "editor" })
      .onRequest("session/request_permission", ({ params }) => {
        asked.push(params);
        return permission?.(params) ?? { outcome: { outcome: "selected", optionId: "reject" } };
      })
      .onNotification("session/update", ({ params }) => void updates.push(params.update))
      .connect(ndJsonStream(Writable.toWeb(child.stdin) as never, Readable.toWeb(child.stdout) as never));
    const { agent } = connection;
    const introduced = await agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    return {
      ...{ agent, updates, asked, introduced, child },
      stderr: () => stderr,
      stdout: () => stdout,
      /** A new session in this folder. */
      begin: (cwd = project) => agent.request("session/new", { cwd, mcpServers: [] }),
      prompt: (sessionId: string, text: string) =>
        agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
      /** What the agent has said, in one text. */
      said: () =>
        updates
          .flatMap((one) => (one.sessionUpdate === "agent_message_chunk" ? [one.content] : []))
          .map((content) => (content.type === "text" ? content.text : ""))
          .join(""),
      async close() {
        const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
        child.stdin.end();
        return ended;
      },
    };
  }
  return { home, project, model, open };
}

/** An editor with one session. */
async function editing(options: EditorOptions) {
  const { open, ...world } = await editorWorld(options);
  const editor = await open();
  return { ...world, ...editor, ...(await editor.begin()) };
}

const write = { id: "call_1", tool: "fs_write", input: { path: "made.txt", content: "by the session\n" } };

describe("toolgate acp with an editor", () => {
  it("says what it can do, and runs a prompt as a session of the gate", async () => {
    const editor = await editing({ script: ["Good morning."] });
    const { sessionId, introduced } = editor;
    const about = { agentInfo: { name: "toolgate" }, agentCapabilities: { loadSession: true } };
    expect(introduced).toMatchObject({ protocolVersion: 1, ...about });
    expect(editor.modes).toMatchObject({
      currentModeId: "act",
      availableModes: [{ id: "act" }, { id: "plan" }],
    });
    expect(await editor.prompt(sessionId, "Hello")).toEqual({ stopReason: "end_turn" });
    expect(editor.said()).toBe("Good morning.");
    expect(await editor.close()).toBe(0);
    for (const line of editor.stdout().trim().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("tells the editor which file is wrong and where, and works once it is mended", async () => {
    const { open, project } = await editorWorld({ script: ["Good morning."] });
    const file = join(project, "toolgate.yaml");
    writeFileSync(file, "policies:\n  x:\n    tools: Bash\n    action: perhaps\n");
    const editor = await open();
    await expect(editor.begin()).rejects.toThrow(
      new RegExp(`cannot be used: ${file}:4:\\d+: .*toolgate config validate`),
    );
    expect(editor.stderr()).toContain("The configuration cannot be used:\ntoolgate.yaml:4:");
    rmSync(file);
    const { sessionId } = await editor.begin();
    expect(await editor.prompt(sessionId, "Hello")).toEqual({ stopReason: "end_turn" });
  });

  it("asks the person at the editor, and takes a yes and a no", async () => {
    let optionId = "reject";
    const editor = await editing({
      script: (request) =>
        request.toolResults.length === 0 ? write : `I heard: ${request.toolResults[0]?.text}`,
      permission: () => ({ outcome: { outcome: "selected", optionId } }),
    });
    const { sessionId, project } = editor;
    await editor.prompt(sessionId, "Write it");
    expect(existsSync(join(project, "made.txt"))).toBe(false);
    optionId = "allow-once";
    await editor.prompt(sessionId, "Write it now");
    expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("by the session\n");
    expect(editor.asked[0]?.toolCall.rawInput).toMatchObject({ path: "made.txt" });
    expect(editor.asked[0]).toMatchObject({
      sessionId,
      toolCall: { toolCallId: "call_1", kind: "edit", title: "fs.write: made.txt" },
      options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }],
    });
    const kinds = editor.updates.map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds).toContain("tool_call");
    const ends = editor.updates.flatMap((one) =>
      one.sessionUpdate === "tool_call_update" ? [one.status] : [],
    );
    expect(ends).toEqual(["failed", "completed"]);
  });

  it("shows a session again that it loads, and goes on with it", async () => {
    const { open, project } = await editorWorld({ script: ["First answer.", "Second answer."] });
    const before = await open();
    const { sessionId } = await before.begin();
    await before.prompt(sessionId, "First");
    expect(await before.close()).toBe(0);
    const after = await open();
    const listed = await after.agent.request("session/list", { cwd: project });
    expect(listed.sessions).toMatchObject([{ sessionId, cwd: project, title: "First" }]);
    await after.agent.request("session/load", { sessionId, cwd: project, mcpServers: [] });
    const texts = after.updates.flatMap((one) =>
      "content" in one && !Array.isArray(one.content) && one.content?.type === "text"
        ? [`${one.sessionUpdate}: ${one.content.text}`]
        : [],
    );
    expect(texts).toEqual(["user_message_chunk: First", "agent_message_chunk: First answer."]);
    expect(await after.prompt(sessionId, "Second")).toEqual({ stopReason: "end_turn" });
    expect(after.said()).toBe("First answer.Second answer.");
  });

  it("cancels a turn while the model answers, and while a person is asked", async () => {
    const never = Promise.withResolvers<string>();
    let isAsking = false;
    const editor = await editing({
      script: () => (isAsking ? write : never.promise),
      permission: () => new Promise(() => {}),
    });
    const { sessionId, model } = editor;
    const first = editor.prompt(sessionId, "Think");
    await expect.poll(() => model.requests.length).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await first).toEqual({ stopReason: "cancelled" });
    isAsking = true;
    const second = editor.prompt(sessionId, "Write");
    await expect.poll(() => editor.asked.length).toBe(1);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await second).toEqual({ stopReason: "cancelled" });
    never.resolve("late");
  });

  it("reads only in plan mode", async () => {
    const editor = await editing({
      script: ({ toolResults }) => (toolResults.length === 0 ? write : "I may not."),
    });
    const { sessionId, project } = editor;
    await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
    await editor.prompt(sessionId, "Write");
    expect(editor.asked).toEqual([]);
    expect(existsSync(join(project, "made.txt"))).toBe(false);
    await expect(editor.agent.request("session/set_mode", { sessionId, modeId: "act" })).rejects.toThrow(
      /started in plan mode/,
    );
  });

  it("says when a folder is opened that it does not have the runner", async () => {
    // In the home folder nobody can tell which runners the editor's folders will have.
    const { open } = await editorWorld({
      script: [],
      args: ["--runner", "nobody"],
      startsAt: "home",
    });
    const editor = await open();
    await expect(editor.begin()).rejects.toThrow(/no runner "nobody"; there are: model, claude/);
  });

  it("says what is wrong, and goes on", async () => {
    const { open, project, home } = await editorWorld({ script: ["Still here."] });
    const editor = await open();
    const { agent } = editor;
    await expect(editor.begin("project")).rejects.toThrow(/absolute path/);
    await expect(editor.begin(home)).rejects.toThrow(/Open a project's folder/);
    await expect(editor.prompt("s-unknown", "x")).rejects.toThrow(/no session "s-unknown"/);
    await expect(
      agent.request("session/load", { sessionId: "s-unknown", cwd: project, mcpServers: [] }),
    ).rejects.toThrow(/no session "s-unknown"/);
    await expect(agent.request("session/fork", {})).rejects.toThrow(/no method session\/fork/);
    const { sessionId } = await editor.begin();
    await expect(
      agent.request("session/prompt", {
        sessionId,
        prompt: [{ type: "image", data: "", mimeType: "image/png" }],
      }),
    ).rejects.toThrow(/may hold text/);
    await expect(agent.request("session/set_mode", { sessionId, modeId: "yolo" })).rejects.toThrow(
      /act or plan/,
    );
    editor.child.stdin?.write("this is no message\n");
    const named = { name: "x", command: "x", args: [], env: [] };
    await agent.request("session/new", { cwd: project, mcpServers: [named] });
    expect(await editor.close()).toBe(0);
    expect(editor.stderr()).toContain("The editor's own MCP servers are not used");
  });

  it("tells a failure of the model as an error, and refuses a second prompt beside the first", async () => {
    const slow = Promise.withResolvers<string>();
    let isFirst = true;
    const editor = await editing({
      script: () => {
        if (!isFirst) return { status: 400, error: "The model is not in the mood." } as never;
        isFirst = false;
        return slow.promise;
      },
    });
    const { sessionId } = editor;
    const first = editor.prompt(sessionId, "One");
    await expect(editor.prompt(sessionId, "Two")).rejects.toThrow(/is being worked on/);
    slow.resolve("One is done.");
    expect(await first).toEqual({ stopReason: "end_turn" });
    await expect(editor.prompt(sessionId, "Three")).rejects.toThrow(/not in the mood|400/);
  });

  it("takes files that the editor sends with a prompt", async () => {
    const editor = await editing({ script: ["Read."] });
    const { sessionId, project, model } = editor;
    writeFileSync(join(project, "a.txt"), "x");
    await editor.agent.request("session/prompt", {
      sessionId,
      prompt: [
        { type: "text", text: "Look at these" },
        { type: "resource_link", name: "a.txt", uri: "file:///a.txt" },
        { type: "resource", resource: { uri: "file:///b.txt", text: "inside of b" } },
      ],
    });
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    expect(sent).toContain("[a.txt](file:///a.txt)");
    expect(sent).toContain("inside of b");
  });
});
