import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createAcpRunner } from "../../../../../src/sessions/runners/acp/create-acp-runner.ts";
import { ann } from "../../sessions-world.ts";
import { type AcpWorldOptions, acpWorld, bash, done, type Step } from "./acp-world.ts";

const approveShell = { name: "shell", tools: "shell.exec", action: "approve" } as const;
const shell = { policies: [approveShell] };
const denyRm = {
  name: "no-rm",
  tools: "Bash",
  action: "deny",
  reason: "Nothing is removed here.",
  conditions: [{ type: "command", operator: "startsWith", value: "rm" }],
} as const;
const fromGate = { toolCallId: "t1", title: "toolgate_fs_read", kind: "other", rawInput: {} };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** What an agent gets to hear: the options of its world, what it does, how its session was asked for, and what is in the log. */
type Row = readonly [string, AcpWorldOptions, readonly Step[], object, readonly string[]];

describe("an agent behind the Agent Client Protocol", () => {
  it("is asked, talked to and left, with what it says in the log", async () => {
    const world = await acpWorld();
    const plan = [{ content: "Look", status: "completed", priority: "low" }];
    const { id, log } = await world.ran([
      ["say", "Hel"],
      ["say", "lo."],
      ["update", { sessionUpdate: "plan", entries: plan }],
    ]);
    expect(log.slice(1)).toEqual([
      "message The agent's plan:\n- [x] Look",
      'usage {"inputTokens":3,"outputTokens":4}',
      "message Hello.",
      "completed end_turn",
    ]);
    const session = await world.sessions.get(id);
    expect(session).toMatchObject({ agentSessionId: "agent-1", usage: { inputTokens: 3, outputTokens: 4 } });
    expect(isAlive(session?.agentProcess?.pid ?? 0)).toBe(true);
    expect((await world.ranNext(id, "more")).log).toContain("message you said more");
    await world.sessions.cancel(id, "ann");
    expect(isAlive(session?.agentProcess?.pid ?? 0)).toBe(false);
  });

  it("waits for a person where no rule speaks, also if nobody follows the session", async () => {
    const world = await acpWorld();
    const id = await world.start([["ask", bash("c1", "make")], done("c1")]);
    const { question, answer } = await world.question(id);
    expect(question).toMatchObject({ caller: `agent:${id}`, toolId: "shell.exec" });
    await answer("approve");
    await world.until(id, "idle");
    const { text } = await world.logged(id);
    for (const part of ["approval asked shell.exec", "approval approved shell.exec", "[c1: selected yes]"])
      expect(text).toContain(part);
  });

  it("is refused what it does not say enough about", async () => {
    const approveAll = { name: "all", tools: "*", action: "approve" } as const;
    const denyDrop = { name: "no-drop", tools: "mcp__store__drop", action: "deny" } as const;
    const world = await acpWorld({ policies: [approveAll, denyDrop] });
    const content = [{ type: "diff", path: world.path("a"), newText: "b" }];
    const { text } = await world.ran([
      [
        "asks",
        { toolCallId: "noCommand", title: "ls", kind: "execute" },
        { toolCallId: "noPath", title: "Edit a file", kind: "edit", rawInput: {} },
        { toolCallId: "noUrl", title: "Fetch http://127.0.0.1/", kind: "fetch" },
        { toolCallId: "noPlace", title: "'x'", kind: "search" },
        { toolCallId: "noName", title: "Do something nice", kind: "other", rawInput: {} },
        { toolCallId: "noInput", title: "store_look", kind: "other" },
        { toolCallId: "denied", title: "store_drop", kind: "other", rawInput: {} },
        {},
        { toolCallId: "known", title: "store_look", kind: "other", rawInput: {} },
        { toolCallId: "edit", title: "Edit", kind: "edit", content },
      ],
    ]);
    const refused = ["noCommand", "noPath", "noUrl", "noPlace", "noName", "noInput", "denied", "undefined"];
    for (const name of refused) expect(text).toContain(`[${name}: selected no]`);
    for (const name of ["known", "edit"]) expect(text).toContain(`[${name}: selected yes]`);
    expect(text).toContain("does not say which command it runs");
  });

  it.for<Row>([
    [
      "gets a yes for one call where the rules say so, and what the call came to is logged",
      { policies: [approveShell, denyRm] },
      [["ask", bash("c1", "ls")], done("c1", "a.txt"), ["ask", bash("c2", "rm -r x")]],
      {},
      [
        "[c1: selected yes]",
        'tool_use shell.exec {"command":"ls"}',
        'tool_result shell.exec true  [{"type":"text","text":"a.txt"}]',
        "[c2: selected no]",
        "tool_result shell.exec false policy_denied",
        "Nothing is removed here.",
      ],
    ],
    [
      "never gets an answer for always, and no yes where only always is offered",
      shell,
      [["ask", bash("c1", "ls"), [{ optionId: "always", name: "Always", kind: "allow_always" }]]],
      {},
      ["message [c1: cancelled ]"],
    ],
    [
      "is judged by its titles and kinds where the runner's options say so",
      { policies: [approveShell, denyRm], titleIsCommand: true, judgeByKind: ["search"] },
      [
        ["ask", { toolCallId: "c1", title: "ls", kind: "execute" }],
        ["ask", { toolCallId: "c2", title: "rm x", kind: "execute" }],
        ["ask", { toolCallId: "c3", title: "'x'", kind: "search" }],
      ],
      {},
      ["[c1: selected yes]", "[c2: selected no]", "[c3: selected yes]"],
    ],
    [
      "has nothing where a session offers no tools",
      shell,
      [["ask", bash("c1", "ls")]],
      { tools: false },
      ["[c1: selected no]"],
    ],
    [
      "reads only in plan mode",
      shell,
      [
        ["ask", bash("c1", "touch x")],
        ["ask", bash("c2", "ls")],
      ],
      { mode: "plan" },
      ["[c1: selected no]", "[c2: selected yes]"],
    ],
    [
      "is only told of a call that ran unasked where the runner says so",
      { ungated: "tell" },
      [unasked("c1", "edit"), ["say", "Done."]],
      {},
      ["ran without asking", "completed end_turn"],
    ],
    [
      "may run tools that do nothing unasked, by name",
      { unasked: ["invalid"] },
      [unasked("c1", "other", { title: "invalid" }), ["say", "Done."]],
      {},
      ["completed end_turn"],
    ],
  ])("%s", async ([, options, steps, request, parts]) => {
    const { text } = await (await acpWorld(options)).ran(steps, request);
    for (const part of parts) expect(text).toContain(part);
  });

  it("has a command judged in the folder that stands beside its title", async () => {
    const world = await acpWorld({ ...shell, titleIsCommand: true });
    const beside = (text: string) => ({ content: [{ type: "content", content: { type: "text", text } }] });
    const command = { title: "cat notes.txt", kind: "execute" };
    const id = await world.start([
      ["ask", { toolCallId: "c1", ...command, ...beside("[in /etc] (Reads it)") }],
      ["ask", { toolCallId: "c2", ...command, ...beside("[in /etc] x] (Reads it)") }],
    ]);
    const { question, answer } = await world.question(id);
    expect(question?.input).toEqual({ command: "cat notes.txt", cwd: "/etc" });
    await answer("deny");
    await world.until(id, "idle");
    const { text } = await world.logged(id);
    expect(text).toContain("[c1: selected no]");
    expect(text).toContain("does not say which command it runs");
  });

  it("may tell what a call is about before it asks, or a moment later", async () => {
    const world = await acpWorld();
    const call = { toolCallId: "c1", title: "read", kind: "read" };
    const filled = { toolCallId: "c1", rawInput: { filePath: world.path("a.txt") } };
    const { text } = await world.ran([
      ["update", { sessionUpdate: "tool_call", ...call, status: "pending" }],
      ["update", { sessionUpdate: "tool_call_update", status: "in_progress", ...filled }],
      ["ask", { ...call, rawInput: {} }],
      done("c1"),
    ]);
    expect(text).toContain("[c1: selected yes]");
  });
});

function unasked(id: string, kind: string, more: object = {}): Step {
  return done(id, "done", { sessionUpdate: "tool_call", title: `${kind} it`, kind, ...more });
}

describe("a turn ends with its error when an agent", () => {
  it.for<readonly [string, AcpWorldOptions, readonly Step[], object, RegExp]>([
    [
      "ran a call without asking",
      shell,
      [unasked("c1", "execute", { rawInput: { command: "ls" } }), ["hang"]],
      {},
      /^error ungated_call: .*execute it.*ran without asking/,
    ],
    [
      "ran a call that was refused",
      { policies: [denyRm] },
      [["ask", bash("c1", "rm x")], done("c1"), ["hang"]],
      {},
      /although it was refused/,
    ],
    [
      "ran a command under the name of a tool that does nothing",
      { unasked: ["invalid"] },
      [unasked("c1", "execute", { title: "invalid" }), ["hang"]],
      {},
      /ungated_call/,
    ],
    [
      "said that it calls a tool of the gate, and did not",
      {},
      [["ask", fromGate], done("t1"), ["hang"]],
      { tools: true },
      /never reached the gate/,
    ],
    [
      "has spent its budget",
      shell,
      [...[1, 2, 3].flatMap((n): Step[] => [["ask", bash(`c${n}`, "ls")], done(`c${n}`)]), ["hang"]],
      { budget: { turns: 2 } },
      /^error budget_spent/,
    ],
  ])("%s", async ([, options, steps, request, message]) => {
    const world = await acpWorld(options);
    const { id, last } = await world.ran(steps, request);
    expect(last).toMatch(message);
    if (last?.includes("ungated_call"))
      await expect.poll(async () => (await world.sessions.get(id))?.agentProcess).toBeUndefined();
  });
});

describe("a call that ran without being asked about", () => {
  it("is taken if it only read, and the rules would have let it through", async () => {
    const world = await acpWorld();
    const inside = { locations: [{ path: world.path("a.txt") }] };
    const first = await world.ran([unasked("c1", "read", inside), unasked("c2", "think"), ["say", "Done."]]);
    expect(first.text).toContain("tool_result fs.read true unasked");
    expect(first.text).toContain("completed end_turn");
    const outside = unasked("c3", "read", { locations: [{ path: "/etc/shadow" }] });
    const { last } = await world.ranNext(first.id, [outside, ["hang"]]);
    expect(last).toMatch(/^error ungated_call: .*though the rules say/);
  });
});

describe("an agent that misbehaves", () => {
  it("is told of when it dies in mid-turn, and started again for the next one", async () => {
    const world = await acpWorld();
    const { id, last } = await world.ran([
      ["say", "I am"],
      ["die", 7],
    ]);
    expect(last).toMatch(/^error agent_died: The agent scripted exited with code 7/);
    const { log, text } = await world.ranNext(id, "again");
    expect(log).toContain("message you said again");
    // What it says again when it loads its session is not logged again.
    expect(text).not.toContain("This was said before.");
    expect(world.seen()).toContain("load agent-1");
  });

  it("may print what is no message, but not for ever", async () => {
    const world = await acpWorld({ flags: ["banner"] });
    const { id, log } = await world.ran([
      ["garbage", "{not json\n"],
      ["say", "Still here."],
    ]);
    expect(log).toContain("message Still here.");
    expect(world.told.join("\n")).toContain("Welcome to the agent!");
    const { last } = await world.ranNext(id, [["many", 2_000, "noise"], ["hang"]]);
    expect(last).toContain("printed too much to stdout");
  });

  const never = /runner_failed: scripted did not answer initialize within 300 ms/;
  const login = /runner_missing: scripted wants a login first .*authMethod: key \(A key\)/;
  const noSso = /runner_missing: scripted has no way to log in called "sso"; it has: key/;
  it.for([
    ["never answers initialize", "mute", { startTimeoutMs: 300 }, never],
    [
      "speaks another version",
      "v7",
      {},
      /runner_missing: scripted speaks version 7 .* toolgate speaks 1 and 2/,
    ],
    ["ends at once", "dies", {}, /agent_died: The agent scripted exited with code 3.*no licence found/s],
    ["wants a login", "auth", {}, login],
    ["has no such login", "auth", { authMethod: "sso" }, noSso],
  ] as const)("fails the turn clearly when it %s", async ([, flag, options, expected]) => {
    const world = await acpWorld({ flags: [flag], ...options });
    const { id, last } = await world.ran("hello");
    expect(last).toMatch(expected);
    expect((await world.sessions.get(id))?.agentProcess).toBeUndefined();
  });

  it("is logged in with the way that the runner names", async () => {
    const world = await acpWorld({ flags: ["auth"], authMethod: "key" });
    await world.ran("hello");
    expect(world.seen()).toEqual(["login key", "new", "prompt hello"]);
  });

  it("may send long messages, and is ended when one is longer than the limit", async () => {
    const world = await acpWorld({ maxMessageBytes: 400_000 });
    const { id, log } = await world.ran([["huge", 300_000]]);
    expect(log.at(-2)?.length).toBeGreaterThan(300_000);
    const { last } = await world.ranNext(id, [["huge", 500_000], ["hang"]]);
    expect(last).toContain("sent a message of more than 400000 bytes");
  });

  it("cannot go on with a session that it has forgotten", async () => {
    const world = await acpWorld({ flags: ["forgets"] });
    const { id } = await world.ran([["die", 1]]);
    const { last } = await world.ranNext(id, "again");
    expect(last).toMatch(/^error agent_session_gone: scripted cannot go on/);
  });

  it("is not started at all when its program is missing", async () => {
    const world = await acpWorld({ command: ["no-such-agent", "acp"] });
    const result = await world.sessions.start({ prompt: "x", runner: "scripted", tools: "agent" }, ann);
    const message = expect.stringContaining('Command not found: "no-such-agent"');
    expect(result).toMatchObject({ ok: false, code: "runner_missing", message });
  });
});

describe("cancelling an agent", () => {
  it("takes its questions back and tells it", async () => {
    const world = await acpWorld();
    const id = await world.start([
      ["ask", bash("c1", "make")],
      ["say", "after"],
    ]);
    await world.question(id);
    await world.sessions.cancel(id, "ann", { turn: 1 });
    expect(await world.gate.approvals.pending()).toEqual([]);
    expect(world.seen().at(-1)).toBe("cancel");
    expect((await world.ranNext(id, "next")).log).toContain("message you said next");
  });

  it("ends one that goes on, with everything that it has started", async () => {
    const world = await acpWorld({ flags: ["stubborn"], sessions: { cancelGraceMs: 200 } });
    const id = await world.start([["child", 300], ["say", "working"], ["hang"]]);
    const childLine = () => world.seen().find((line) => line.startsWith("child "));
    await expect.poll(childLine).toBeDefined();
    const child = Number(childLine()?.slice(6));
    const agent = (await world.sessions.get(id))?.agentProcess?.pid ?? 0;
    expect([isAlive(child), isAlive(agent)]).toEqual([true, true]);
    await world.sessions.cancel(id, "ann");
    expect([isAlive(child), isAlive(agent)]).toEqual([false, false]);
    expect(await world.sessions.get(id)).toMatchObject({ state: "ended", end: "cancelled" });
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
    await (await world.question(id)).answer("deny");
    await world.until(id, "idle");
    const { text } = await world.logged(id);
    for (const part of [
      String.raw`[fs/read_text_file: {"content":"one\ntwo\n"}]`,
      '[fs/read_text_file: {"content":"two"}]',
      "[fs/write_text_file: {}]",
      '[fs/write_text_file: {"error"',
      "it's $HOME",
      "[terminal 126: ",
      "There is no terminal none.",
      "tool_use fs.write",
    ])
      expect(text).toContain(part);
    expect(readFileSync(world.path("b.txt"), "utf8")).toBe("new\n");
  });

  it("has no files and terminals otherwise", async () => {
    const world = await acpWorld();
    const { text } = await world.ran([
      ["request", "fs/write_text_file", { path: world.path("b"), content: "x" }],
    ]);
    expect(text).toContain("This client has no method fs/write_text_file");
    expect(existsSync(world.path("b"))).toBe(false);
  });

  const named = (toolCallId: string, title: string) => ({ toolCallId, title, kind: "other" });
  const read: Step = ["mcp", "fs_read", { path: "a.txt" }];
  it.for<Row>([
    [
      "has the tools of the gate as an MCP server, and none of its own",
      shell,
      [["ask", bash("c1", "ls")], ["ask", fromGate], read, done("t1", "from the gate")],
      {},
      ["[c1: selected no]", "[t1: selected yes]", " tools; ", "tool_use fs.read"],
    ],
    [
      "is known by the ids of its calls to call a tool of the gate, whatever their titles say",
      { ...shell, idNamesTool: true },
      [
        ["ask", named("foreign_run__1", "fs_read (toolgate MCP Server)")],
        ["ask", named("mcp_toolgate_fs_read__1", "echo hi")],
        read,
        done("mcp_toolgate_fs_read__1", "from the gate"),
      ],
      {},
      ["[foreign_run__1: selected no]", "[mcp_toolgate_fs_read__1: selected yes]"],
    ],
  ])("%s", async ([, options, steps, request, parts]) => {
    const world = await acpWorld(options);
    writeFileSync(world.path("a.txt"), "from the gate\n");
    const { text } = await world.ran(steps, { tools: true, ...request });
    for (const part of [...parts, "completed end_turn"]) expect(text).toContain(part);
    expect(text).toMatch(/\[\d+ tools; .*from the gate/);
  });
});

describe("the second version of the protocol", () => {
  it("is spoken with an agent that knows it", async () => {
    const world = await acpWorld({ flags: ["v2"], ...shell });
    const subject = { type: "command", command: "ls", cwd: world.folder };
    const steps: Step[] = [
      ["subject", subject],
      ["say", " Two."],
    ];
    const { text } = await world.ran(steps, { system: "Be short." });
    expect(text).toContain("message [selected yes] Two.");
    expect(text).toContain("completed end_turn");
    expect(world.seen().at(-1)).toContain("prompt Be short. | ");
  });
});

describe("the options of the runner", () => {
  it.for([
    [{ name: "", command: ["x"] }, "name must be a text"],
    [{ name: "x", command: [] }, "command must be a list"],
    [{ name: "x", command: ["x"], judgeByKind: ["smell"] }, "kinds are read, edit"],
    [{ name: "x", command: ["x"], ungated: "ignore" }, '"end" or "tell"'],
  ] as const)("%j are refused", ([options, message]) => {
    expect(() => createAcpRunner(options as never)).toThrow(message);
  });
});
