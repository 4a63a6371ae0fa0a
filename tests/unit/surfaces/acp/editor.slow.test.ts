import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editorWorld } from "./editor-world.ts";

const write = { id: "call_1", tool: "fs_write", input: { path: "made.txt", content: "by the session\n" } };
const pick = (optionId: string) => () => ({ outcome: { outcome: "selected" as const, optionId } });

describe("toolgate acp with an editor", () => {
  it("says what it can do, and runs a prompt as a session of the gate", async () => {
    const { open, project } = await editorWorld({ script: ["Good morning."] });
    const editor = await open();
    expect(editor.introduced).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "toolgate" },
      agentCapabilities: { loadSession: true },
    });
    const { sessionId, modes } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    expect(modes).toMatchObject({ currentModeId: "act", availableModes: [{ id: "act" }, { id: "plan" }] });
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
    const begin = () => editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    await expect(begin()).rejects.toThrow(
      new RegExp(`cannot be used: ${file}:4:\\d+: .*toolgate config validate`),
    );
    expect(editor.stderr()).toContain("The configuration cannot be used:\ntoolgate.yaml:4:");
    rmSync(file);
    const { sessionId } = await begin();
    expect(await editor.prompt(sessionId, "Hello")).toEqual({ stopReason: "end_turn" });
    await editor.close();
  });

  it("asks the person at the editor, and takes a yes and a no", async () => {
    let optionId = "reject";
    const { open, project } = await editorWorld({
      script: (request) =>
        request.toolResults.length === 0 ? write : `I heard: ${request.toolResults[0]?.text}`,
      permission: () => ({ outcome: { outcome: "selected", optionId } }),
    });
    const editor = await open();
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    await editor.prompt(sessionId, "Write it");
    expect(existsSync(join(project, "made.txt"))).toBe(false);
    optionId = "allow-once";
    await editor.prompt(sessionId, "Write it now");
    expect(readFileSync(join(project, "made.txt"), "utf8")).toBe("by the session\n");
    expect(editor.asked[0]).toMatchObject({
      sessionId,
      toolCall: {
        toolCallId: "call_1",
        kind: "edit",
        title: "fs.write: made.txt",
        rawInput: { path: "made.txt" },
      },
      options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }],
    });
    const kinds = editor.updates.map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds).toContain("tool_call");
    const ends = editor.updates.flatMap((one) =>
      one.sessionUpdate === "tool_call_update" ? [one.status] : [],
    );
    expect(ends).toEqual(["failed", "completed"]);
    await editor.close();
  });

  it("asks once where the person allows it for the session", async () => {
    const { open, project } = await editorWorld({
      script: ({ toolResults, messages }) => {
        const count = messages.flatMap((message) => message.toolResults).length;
        return toolResults.length > 0 && count >= 2 ? "Done." : { ...write, id: `call_${count}` };
      },
      permission: pick("allow-session"),
    });
    const editor = await open();
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    await editor.prompt(sessionId, "Twice");
    expect(editor.asked).toHaveLength(1);
    await editor.close();
  });

  it("shows a session again that it loads, and goes on with it", async () => {
    const { open, project } = await editorWorld({ script: ["First answer.", "Second answer."] });
    const before = await open();
    const { sessionId } = await before.agent.request("session/new", { cwd: project, mcpServers: [] });
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
    await after.close();
  });

  it("cancels a turn while the model answers, and while a person is asked", async () => {
    const never = Promise.withResolvers<string>();
    let isAsking = false;
    const { open, project } = await editorWorld({
      script: () => (isAsking ? write : never.promise),
      permission: () => new Promise(() => {}),
    });
    const editor = await open();
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    const first = editor.prompt(sessionId, "Think");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await first).toEqual({ stopReason: "cancelled" });
    isAsking = true;
    const second = editor.prompt(sessionId, "Write");
    while (editor.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await second).toEqual({ stopReason: "cancelled" });
    never.resolve("late");
    await editor.close();
  });

  it("reads only in plan mode", async () => {
    const { open, project } = await editorWorld({
      script: ({ toolResults }) => (toolResults.length === 0 ? write : "I may not."),
    });
    const editor = await open();
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });
    await editor.prompt(sessionId, "Write");
    expect(editor.asked).toEqual([]);
    expect(existsSync(join(project, "made.txt"))).toBe(false);
    await expect(editor.agent.request("session/set_mode", { sessionId, modeId: "act" })).rejects.toThrow(
      /started in plan mode/,
    );
    await editor.close();
  });

  it("says when a folder is opened that it does not have the runner", async () => {
    // In the home folder nobody can tell which runners the editor's folders will have.
    const { open, project } = await editorWorld({
      script: [],
      args: ["--runner", "nobody"],
      startsAt: "home",
    });
    const editor = await open();
    await expect(editor.agent.request("session/new", { cwd: project, mcpServers: [] })).rejects.toThrow(
      /no runner "nobody"; there are: model, claude/,
    );
    await editor.close();
  });

  it("says what is wrong, and goes on", async () => {
    const { open, project, home } = await editorWorld({ script: ["Still here."] });
    const editor = await open();
    const { agent } = editor;
    await expect(agent.request("session/new", { cwd: "project", mcpServers: [] })).rejects.toThrow(
      /absolute path/,
    );
    await expect(agent.request("session/new", { cwd: home, mcpServers: [] })).rejects.toThrow(
      /Open a project's folder/,
    );
    await expect(editor.prompt("s-unknown", "x")).rejects.toThrow(/no session "s-unknown"/);
    await expect(
      agent.request("session/load", { sessionId: "s-unknown", cwd: project, mcpServers: [] }),
    ).rejects.toThrow(/no session "s-unknown"/);
    await expect(agent.request("session/fork", {})).rejects.toThrow(/no method session\/fork/);
    const { sessionId } = await agent.request("session/new", { cwd: project, mcpServers: [] });
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
    const { open, project } = await editorWorld({
      script: () => {
        if (!isFirst) return { status: 400, error: "The model is not in the mood." } as never;
        isFirst = false;
        return slow.promise;
      },
    });
    const editor = await open();
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
    const first = editor.prompt(sessionId, "One");
    await expect(editor.prompt(sessionId, "Two")).rejects.toThrow(/is being worked on/);
    slow.resolve("One is done.");
    expect(await first).toEqual({ stopReason: "end_turn" });
    await expect(editor.prompt(sessionId, "Three")).rejects.toThrow(/not in the mood|400/);
    await editor.close();
  });

  it("takes files that the editor sends with a prompt", async () => {
    const { open, project, model } = await editorWorld({ script: ["Read."] });
    const editor = await open();
    writeFileSync(join(project, "a.txt"), "x");
    const { sessionId } = await editor.agent.request("session/new", { cwd: project, mcpServers: [] });
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
    await editor.close();
  });
});
