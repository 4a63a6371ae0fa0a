import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAcpRunner } from "../../../../../src/sessions/runners/acp/create-acp-runner.ts";
import { acpWorld, ann, bash, done } from "./acp-world.ts";

const approveShell = { name: "shell", tools: "shell.exec", action: "approve" } as const;
const denyRm = {
  name: "no-rm",
  tools: "Bash",
  action: "deny",
  reason: "Nothing is removed here.",
  conditions: [{ type: "command", operator: "startsWith", value: "rm" }],
} as const;

async function waitFor(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let left = 200; left > 0; left--) {
    if (await what()) return;
    await sleep(25);
  }
  throw new Error("It never happened.");
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

describe("an agent behind the Agent Client Protocol", () => {
  it("is asked, talked to and left, with what it says in the log", async () => {
    const world = await acpWorld();
    const id = await world.start([
      ["say", "Hel"],
      ["say", "lo."],
      [
        "update",
        { sessionUpdate: "plan", entries: [{ content: "Look", status: "completed", priority: "low" }] },
      ],
    ]);
    await world.until(id, "idle");
    const log = await world.log(id);
    expect(log.slice(1)).toEqual([
      "message The agent's plan:\n- [x] Look",
      'usage {"inputTokens":3,"outputTokens":4}',
      "message Hello.",
      "completed end_turn",
    ]);
    const session = await world.sessions.get(id);
    expect(session).toMatchObject({ agentSessionId: "agent-1", usage: { inputTokens: 3, outputTokens: 4 } });
    expect(isAlive(session?.agentProcess?.pid ?? 0)).toBe(true);
    await world.send(id, "more");
    await world.until(id, "idle", 2);
    expect(await world.log(id)).toContain("message you said more");
    await world.sessions.cancel(id, "ann");
    expect(isAlive(session?.agentProcess?.pid ?? 0)).toBe(false);
  });

  it("gets a yes for one call where the rules say so, and what the call came to is logged", async () => {
    const world = await acpWorld({ policies: [approveShell, denyRm] });
    const id = await world.start([
      ["ask", bash("c1", "ls")],
      done("c1", "a.txt"),
      ["ask", bash("c2", "rm -r x")],
    ]);
    await world.until(id, "idle");
    const log = (await world.log(id)).join("\n");
    expect(log).toContain("[c1: selected yes]");
    expect(log).toContain('tool_use shell.exec {"command":"ls"}');
    expect(log).toContain('tool_result shell.exec true  [{"type":"text","text":"a.txt"}]');
    expect(log).toContain("[c2: selected no]");
    expect(log).toContain("tool_result shell.exec false policy_denied");
    expect(log).toContain("Nothing is removed here.");
  });

  it("waits for a person where no rule speaks, also if nobody follows the session", async () => {
    const world = await acpWorld();
    const id = await world.start([["ask", bash("c1", "make")], done("c1")]);
    await waitFor(async () => (await world.sessions.get(id))?.state === "waiting");
    const [question] = await world.gate.approvals.pending();
    expect(question).toMatchObject({ caller: `agent:${id}`, toolId: "shell.exec" });
    await world.gate.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
    await world.until(id, "idle");
    const log = (await world.log(id)).join("\n");
    expect(log).toContain("approval asked shell.exec");
    expect(log).toContain("approval approved shell.exec");
    expect(log).toContain("[c1: selected yes]");
  });

  it("never gets an answer for always, and no yes where only always is offered", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    const always = [{ optionId: "always", name: "Always", kind: "allow_always" }];
    const id = await world.start([["ask", bash("c1", "ls"), always]]);
    await world.until(id, "idle");
    expect(await world.log(id)).toContain("message [c1: cancelled ]");
  });

  it("is refused what it does not say enough about", async () => {
    const approveAll = { name: "all", tools: "*", action: "approve" } as const;
    const denyDrop = { name: "no-drop", tools: "mcp__store__drop", action: "deny" } as const;
    const world = await acpWorld({ policies: [approveAll, denyDrop] });
    const asks = {
      noCommand: { toolCallId: "noCommand", title: "ls", kind: "execute" },
      noPath: { toolCallId: "noPath", title: "Edit a file", kind: "edit", rawInput: {} },
      noUrl: { toolCallId: "noUrl", title: "Fetch http://127.0.0.1/", kind: "fetch" },
      noPlace: { toolCallId: "noPlace", title: "'x'", kind: "search" },
      noName: { toolCallId: "noName", title: "Do something nice", kind: "other", rawInput: {} },
      noInput: { toolCallId: "noInput", title: "store_look", kind: "other" },
      denied: { toolCallId: "denied", title: "store_drop", kind: "other", rawInput: {} },
      nothing: {},
      known: { toolCallId: "known", title: "store_look", kind: "other", rawInput: {} },
      edit: {
        toolCallId: "edit",
        title: "Edit",
        kind: "edit",
        content: [{ type: "diff", path: world.path("a"), newText: "b" }],
      },
    };
    const id = await world.start([["asks", ...Object.values(asks)]]);
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    for (const name of Object.keys(asks)) {
      if (name !== "nothing")
        expect(text, name).toContain(
          `[${name}: selected ${["known", "edit"].includes(name) ? "yes" : "no"}]`,
        );
    }
    expect(text).toContain("[undefined: selected no]");
    expect(text).toContain("does not say which command it runs");
  });

  it("is judged by its titles and kinds where the runner's options say so", async () => {
    const world = await acpWorld({
      policies: [approveShell, denyRm],
      titleIsCommand: true,
      judgeByKind: ["search"],
    });
    const id = await world.start([
      ["ask", { toolCallId: "c1", title: "ls", kind: "execute" }],
      ["ask", { toolCallId: "c2", title: "rm x", kind: "execute" }],
      ["ask", { toolCallId: "c3", title: "'x'", kind: "search" }],
    ]);
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("[c1: selected yes]");
    expect(text).toContain("[c2: selected no]");
    expect(text).toContain("[c3: selected yes]");
  });

  it("has a command judged in the folder that stands beside its title", async () => {
    const world = await acpWorld({ policies: [approveShell], titleIsCommand: true });
    const beside = (text: string) => ({ content: [{ type: "content", content: { type: "text", text } }] });
    const command = { title: "cat notes.txt", kind: "execute" };
    const id = await world.start([
      ["ask", { toolCallId: "c1", ...command, ...beside("[in /etc] (Reads it)") }],
      ["ask", { toolCallId: "c2", ...command, ...beside("[in /etc] x] (Reads it)") }],
    ]);
    await waitFor(async () => (await world.sessions.get(id))?.state === "waiting");
    const [question] = await world.gate.approvals.pending();
    expect(question?.input).toEqual({ command: "cat notes.txt", cwd: "/etc" });
    await world.gate.approvals.answer(question?.id ?? "", { decision: "deny", by: "ann" });
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("[c1: selected no]");
    expect(text).toContain("does not say which command it runs");
  });

  it("may tell what a call is about before it asks, or a moment later", async () => {
    const world = await acpWorld();
    const started = {
      sessionUpdate: "tool_call",
      toolCallId: "c1",
      title: "read",
      kind: "read",
      status: "pending",
    };
    const filled = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress" };
    const input = { rawInput: { filePath: world.path("a.txt") } };
    const id = await world.start([
      ["update", started],
      ["update", { ...filled, ...input }],
      ["ask", { toolCallId: "c1", title: "read", kind: "read", rawInput: {} }],
      done("c1"),
    ]);
    await world.until(id, "idle");
    expect((await world.log(id)).join("\n")).toContain("[c1: selected yes]");
  });
});

describe("a call that ran without being asked about", () => {
  const ran = (id: string, kind: string, more: object = {}) =>
    done(id, "done", { sessionUpdate: "tool_call", title: `${kind} it`, kind, ...more });

  it("ends the turn and the agent", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    const id = await world.start([ran("c1", "execute", { rawInput: { command: "ls" } }), ["hang"]]);
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toMatch(/^error ungated_call: .*execute it.*ran without asking/);
    await waitFor(async () => (await world.sessions.get(id))?.agentProcess === undefined);
  });

  it("is only told where the runner says so", async () => {
    const world = await acpWorld({ ungated: "tell" });
    const id = await world.start([ran("c1", "edit"), ["say", "Done."]]);
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("ran without asking");
    expect(text).toContain("completed end_turn");
  });

  it("is taken if it only read, and the rules would have let it through", async () => {
    const world = await acpWorld();
    const inside = { locations: [{ path: world.path("a.txt") }] };
    const id = await world.start([ran("c1", "read", inside), ran("c2", "think"), ["say", "Done."]]);
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("tool_result fs.read true unasked");
    expect(text).toContain("completed end_turn");
    await world.send(id, [ran("c3", "read", { locations: [{ path: "/etc/shadow" }] }), ["hang"]]);
    await world.until(id, "idle", 2);
    expect((await world.log(id)).at(-1)).toMatch(/^error ungated_call: .*though the rules say/);
  });

  it("is found when it was refused or not answered yet, and ran", async () => {
    const world = await acpWorld({ policies: [denyRm] });
    const id = await world.start([["ask", bash("c1", "rm x")], done("c1"), ["hang"]]);
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toContain("although it was refused");
  });

  it("may be one of the tools that do nothing, by name", async () => {
    const world = await acpWorld({ unasked: ["invalid"] });
    const id = await world.start([ran("c1", "other", { title: "invalid" }), ["say", "Done."]]);
    await world.until(id, "idle");
    expect((await world.log(id)).join("\n")).toContain("completed end_turn");
    const other = await acpWorld({ unasked: ["invalid"] });
    const lies = await other.start([ran("c1", "execute", { title: "invalid" }), ["hang"]]);
    await other.until(lies, "idle");
    expect((await other.log(lies)).at(-1)).toContain("ungated_call");
  });
});

describe("an agent that misbehaves", () => {
  it("is told of when it dies in mid-turn, and started again for the next one", async () => {
    const world = await acpWorld();
    const id = await world.start([
      ["say", "I am"],
      ["die", 7],
    ]);
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toMatch(/^error agent_died: The agent scripted exited with code 7/);
    await world.send(id, "again");
    await world.until(id, "idle", 2);
    const log = await world.log(id);
    expect(log).toContain("message you said again");
    // What it says again when it loads its session is not logged again.
    expect(log.join("\n")).not.toContain("This was said before.");
    expect(world.seen()).toContain("load agent-1");
  });

  it("may print what is no message, but not for ever", async () => {
    const world = await acpWorld({ flags: ["banner"] });
    const id = await world.start([
      ["garbage", "{not json\n"],
      ["say", "Still here."],
    ]);
    await world.until(id, "idle");
    expect(await world.log(id)).toContain("message Still here.");
    expect(world.told.join("\n")).toContain("Welcome to the agent!");
    await world.send(id, [["many", 2_000, "noise"], ["hang"]]);
    await world.until(id, "idle", 2);
    expect((await world.log(id)).at(-1)).toContain("printed too much to stdout");
  });

  it.each([
    [
      "never answers initialize",
      ["mute"],
      { startTimeoutMs: 300 },
      /runner_failed: scripted did not answer initialize within 300 ms/,
    ],
    [
      "speaks another version",
      ["v7"],
      {},
      /runner_missing: scripted speaks version 7 .* toolgate speaks 1 and 2/,
    ],
    ["ends at once", ["dies"], {}, /agent_died: The agent scripted exited with code 3.*no licence found/s],
    [
      "wants a login",
      ["auth"],
      {},
      /runner_missing: scripted wants a login first .*authMethod: key \(A key\)/,
    ],
    [
      "has no such login",
      ["auth"],
      { authMethod: "sso" },
      /runner_missing: scripted has no way to log in called "sso"; it has: key/,
    ],
  ])("fails the turn clearly when it %s", async (_, flags, options, expected) => {
    const world = await acpWorld({ flags, ...options });
    const id = await world.start("hello");
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toMatch(expected);
    expect((await world.sessions.get(id))?.agentProcess).toBeUndefined();
  });

  it("is logged in with the way that the runner names", async () => {
    const world = await acpWorld({ flags: ["auth"], authMethod: "key" });
    const id = await world.start("hello");
    await world.until(id, "idle");
    expect(world.seen()).toEqual(["login key", "new", "prompt hello"]);
  });

  it("may send long messages, and is ended when one is longer than the limit", async () => {
    const world = await acpWorld({ maxMessageBytes: 400_000 });
    const id = await world.start([["huge", 300_000]]);
    await world.until(id, "idle");
    expect((await world.log(id)).at(-2)?.length).toBeGreaterThan(300_000);
    await world.send(id, [["huge", 500_000], ["hang"]]);
    await world.until(id, "idle", 2);
    expect((await world.log(id)).at(-1)).toContain("sent a message of more than 400000 bytes");
  });

  it("cannot go on with a session that it has forgotten", async () => {
    const world = await acpWorld({ flags: ["forgets"] });
    const id = await world.start([["die", 1]]);
    await world.until(id, "idle");
    await world.send(id, "again");
    await world.until(id, "idle", 2);
    expect((await world.log(id)).at(-1)).toMatch(/^error agent_session_gone: scripted cannot go on/);
  });

  it("is not started at all when its program is missing", async () => {
    const world = await acpWorld({ command: ["no-such-agent", "acp"] });
    const result = await world.sessions.start({ prompt: "x", runner: "scripted", tools: "agent" }, ann);
    expect(result).toMatchObject({ ok: false, code: "runner_missing" });
    expect(result.ok ? "" : result.message).toContain('Command not found: "no-such-agent"');
  });
});

describe("cancelling an agent", () => {
  it("takes its questions back and tells it", async () => {
    const world = await acpWorld();
    const id = await world.start([
      ["ask", bash("c1", "make")],
      ["say", "after"],
    ]);
    await waitFor(async () => (await world.sessions.get(id))?.state === "waiting");
    await world.sessions.cancel(id, "ann", { turn: 1 });
    expect(await world.gate.approvals.pending()).toEqual([]);
    expect(world.seen().at(-1)).toBe("cancel");
    await world.send(id, "next");
    await world.until(id, "idle", 2);
    expect(await world.log(id)).toContain("message you said next");
  });

  it("ends one that goes on, with everything that it has started", async () => {
    const world = await acpWorld({ flags: ["stubborn"], sessions: { cancelGraceMs: 200 } });
    const id = await world.start([["child", 300], ["say", "working"], ["hang"]]);
    await waitFor(() => world.seen().some((line) => line.startsWith("child ")));
    const child = Number(
      world
        .seen()
        .find((line) => line.startsWith("child "))
        ?.slice(6),
    );
    const agent = (await world.sessions.get(id))?.agentProcess?.pid ?? 0;
    expect([isAlive(child), isAlive(agent)]).toEqual([true, true]);
    await world.sessions.cancel(id, "ann");
    expect([isAlive(child), isAlive(agent)]).toEqual([false, false]);
    expect(await world.sessions.get(id)).toMatchObject({ state: "ended", end: "cancelled" });
  });

  it("ends its turn when the budget is spent", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    const loop = [1, 2, 3].flatMap((n) => [["ask", bash(`c${n}`, "ls")], done(`c${n}`)] as never[]);
    const id = await world.start([...loop, ["hang"]], { budget: { turns: 2 } });
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toMatch(/^error budget_spent/);
  });
});

describe("what an agent may be offered", () => {
  it("has files and terminals of the gate where the runner says so", async () => {
    const approveWrite = { name: "write", tools: "fs.write", action: "approve" } as const;
    const world = await acpWorld({ clientTools: true, policies: [approveShell, approveWrite, denyRm] });
    writeFileSync(world.path("a.txt"), "one\ntwo\n");
    const id = await world.start([
      ["request", "fs/read_text_file", { path: world.path("a.txt") }],
      ["request", "fs/read_text_file", { path: world.path("a.txt"), line: 2, limit: 1 }],
      ["request", "fs/write_text_file", { path: world.path("b.txt"), content: "new\n" }],
      ["request", "fs/write_text_file", { path: "/etc/b.txt", content: "new\n" }],
      ["terminal", "echo", ["it's", "$HOME"]],
      ["terminal", "rm -r ."],
      ["request", "terminal/output", { terminalId: "none" }],
    ]);
    await waitFor(async () => (await world.sessions.get(id))?.state === "waiting");
    const [question] = await world.gate.approvals.pending();
    await world.gate.approvals.answer(question?.id ?? "", { decision: "deny", by: "ann" });
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain(String.raw`[fs/read_text_file: {"content":"one\ntwo\n"}]`);
    expect(text).toContain('[fs/read_text_file: {"content":"two"}]');
    expect(text).toContain("[fs/write_text_file: {}]");
    expect(text).toContain('[fs/write_text_file: {"error"');
    expect(text).toContain("it's $HOME");
    expect(text).toContain("[terminal 126: ");
    expect(text).toContain("There is no terminal none.");
    expect(readFileSync(world.path("b.txt"), "utf8")).toBe("new\n");
    expect(text).toContain("tool_use fs.write");
  });

  it("has no files and terminals otherwise", async () => {
    const world = await acpWorld();
    const id = await world.start([
      ["request", "fs/write_text_file", { path: world.path("b"), content: "x" }],
    ]);
    await world.until(id, "idle");
    expect((await world.log(id)).join("\n")).toContain("This client has no method fs/write_text_file");
    expect(existsSync(world.path("b"))).toBe(false);
  });

  it("has the tools of the gate as an MCP server, and none of its own", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    writeFileSync(world.path("a.txt"), "from the gate\n");
    const own = { toolCallId: "t1", title: "toolgate_fs_read", kind: "other", rawInput: {} };
    const id = await world.start(
      [
        ["ask", bash("c1", "ls")],
        ["ask", own],
        ["mcp", "fs_read", { path: "a.txt" }],
        done("t1", "from the gate"),
      ],
      { tools: true },
    );
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("[c1: selected no]");
    expect(text).toContain("[t1: selected yes]");
    expect(text).toMatch(/\[\d+ tools; .*from the gate/);
    expect(text).toContain("tool_use fs.read");
    expect(text).toContain("completed end_turn");
  });

  it("is known by the ids of its calls to call a tool of the gate, whatever their titles say", async () => {
    const world = await acpWorld({ policies: [approveShell], idNamesTool: true });
    writeFileSync(world.path("a.txt"), "from the gate\n");
    const named = (toolCallId: string, title: string) => ({ toolCallId, title, kind: "other" });
    const id = await world.start(
      [
        ["ask", named("foreign_run__1", "fs_read (toolgate MCP Server)")],
        ["ask", named("mcp_toolgate_fs_read__1", "echo hi")],
        ["mcp", "fs_read", { path: "a.txt" }],
        done("mcp_toolgate_fs_read__1", "from the gate"),
      ],
      { tools: true },
    );
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("[foreign_run__1: selected no]");
    expect(text).toContain("[mcp_toolgate_fs_read__1: selected yes]");
    expect(text).toContain("completed end_turn");
  });

  it("is caught when it says that it calls a tool of the gate, and does not", async () => {
    const world = await acpWorld();
    const own = { toolCallId: "t1", title: "toolgate_fs_read", kind: "other", rawInput: {} };
    const id = await world.start([["ask", own], done("t1"), ["hang"]], { tools: true });
    await world.until(id, "idle");
    expect((await world.log(id)).at(-1)).toContain("never reached the gate");
  });

  it("has nothing where a session offers no tools", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    const id = await world.start([["ask", bash("c1", "ls")]], { tools: false });
    await world.until(id, "idle");
    expect((await world.log(id)).join("\n")).toContain("[c1: selected no]");
  });

  it("reads only in plan mode", async () => {
    const world = await acpWorld({ policies: [approveShell] });
    const id = await world.start(
      [
        ["ask", bash("c1", "touch x")],
        ["ask", bash("c2", "ls")],
      ],
      { mode: "plan" },
    );
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("[c1: selected no]");
    expect(text).toContain("[c2: selected yes]");
  });
});

describe("the second version of the protocol", () => {
  it("is spoken with an agent that knows it", async () => {
    const world = await acpWorld({ flags: ["v2"], policies: [approveShell] });
    const id = await world.start(
      [
        ["subject", { type: "command", command: "ls", cwd: world.folder }],
        ["say", " Two."],
      ],
      { system: "Be short." },
    );
    await world.until(id, "idle");
    const text = (await world.log(id)).join("\n");
    expect(text).toContain("message [selected yes] Two.");
    expect(text).toContain("completed end_turn");
    expect(world.seen().at(-1)).toContain("prompt Be short. | ");
  });
});

describe("the options of the runner", () => {
  it.each([
    [{ name: "", command: ["x"] }, "name must be a text"],
    [{ name: "x", command: [] }, "command must be a list"],
    [{ name: "x", command: ["x"], judgeByKind: ["smell"] }, "kinds are read, edit"],
    [{ name: "x", command: ["x"], ungated: "ignore" }, '"end" or "tell"'],
  ])("%j are refused", (options, message) => {
    expect(() => createAcpRunner(options as never)).toThrow(message);
  });
});
