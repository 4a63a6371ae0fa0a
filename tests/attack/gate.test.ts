import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CallRequest,
  type Condition,
  createGate,
  type LocatePath,
  type Policy,
} from "../../src/index.ts";
import { createTestGate, type TestGateOptions } from "../../src/testing/index.ts";
import * as paper from "../unit/paper-gate.ts";

const { codeOf, endOf, messageOf, paperGate, settle, shell, throws, tool } = paper;

const approve: Policy[] = [{ name: "yes", tools: "*", action: "approve" }];
const when = (action: Policy["action"], ...conditions: Condition[]): Policy => ({
  name: action,
  tools: "*",
  action,
  conditions,
});
const butDeny = (condition: Condition): Policy[] => [...approve, { ...when("deny", condition), priority: 1 }];
const write = tool({ id: "notes.write", permission: "write" });
const writing = (input: object = {}) => ({ tool: "notes.write", input });
const running = (input: object) => ({ tool: "shell.exec", input });
const url = "https://evil.example/";

type Row = [string, string, TestGateOptions, Partial<CallRequest>];

describe("a junk `command` field never replaces the tool's own risk", () => {
  const remote = tool({ permission: "execute", capabilities: ["net:ssh"] });
  it.for<Row>([
    [
      "a writer with an extra command still asks",
      "no_approver",
      { tools: [write] },
      writing({ path: "a.txt", content: "evil", command: "ls" }),
    ],
    [
      "a writer with an extra command is stopped in plan mode",
      "plan_mode",
      { tools: [write], policies: approve },
      { ...writing({ path: "a.txt", command: "ls" }), mode: "plan" },
    ],
    [
      "a tool that executes and is no shell asks",
      "no_approver",
      { tools: [remote] },
      { input: { host: "prod", command: "ls" } },
    ],
    [
      "a tool that executes and is no shell asks, also with an empty command",
      "no_approver",
      { tools: [remote] },
      { input: { command: "", code: "evil" } },
    ],
    [
      "a command beside a URL hides the URL from no rule",
      "policy_denied",
      {
        tools: [tool()],
        policies: [when("deny", { type: "url", operator: "inside", value: "evil.example" })],
      },
      { input: { url, command: "ls" } },
    ],
    [
      "a command beside a URL hides the URL from no route",
      "route_blocked",
      { tools: [tool()], routes: [{ name: "r", tool: "*", pattern: "evil", message: "No." }] },
      { input: { url, command: "ls" } },
    ],
    [
      "a path beside a URL does not make it local",
      "no_approver",
      { tools: [tool()] },
      { input: { url, path: "a.txt" } },
    ],
  ])("%s: %s", async ([, expected, options, request]) => {
    expect(await endOf(options, request)).toBe(expected);
  });
});

describe("a value in a role that is not plain text", () => {
  it("a path inside an object is not overlooked", async () => {
    expect(await endOf({ tools: [tool()] }, { input: { file: { path: "/etc/passwd" } } })).not.toBe("ran");
  });
  it("commands given as lists of words are judged", async () => {
    const policies = butDeny({ type: "command", operator: "startsWith", value: "rm" });
    const request = running({ commands: [["rm", "-rf", "/"]] });
    expect(await endOf({ tools: [shell], policies }, request)).not.toBe("ran");
  });
});

it.for([{ command: "git push --force", cmd: "ls" }, { commands: ["git push --force", "ls"] }])(
  "an allow route that matches one value does not carry another past a block: %j",
  async (input) => {
    const routes = [
      { name: "a", tool: "Bash", pattern: "^ls$", action: "allow" as const },
      { name: "b", tool: "Bash", pattern: "--force", message: "No." },
    ];
    expect(await endOf({ tools: [shell], policies: approve, routes }, running(input))).toBe("route_blocked");
  },
);

it.for(["bash", "execute_command", "run_shell_command", "Bash"])(
  "rules for Bash hold for a registered tool whose id is %s",
  async (id) => {
    for (const tools of ["Bash", "shell.exec", "bash"]) {
      const options = { tools: [tool({ id })], policies: [{ name: "no", tools, action: "deny" as const }] };
      expect([tools, await endOf(options, { tool: id })]).toEqual([tools, "policy_denied"]);
    }
  },
);

it("path rules hold as written where the workspace is reached through a link", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-link-"));
  mkdirSync(join(folder, "real/secrets"), { recursive: true });
  mkdirSync(join(folder, "real/releases/1"), { recursive: true });
  writeFileSync(join(folder, "real/secrets/x"), "x");
  symlinkSync(join(folder, "real"), join(folder, "link"));
  symlinkSync("releases/1", join(folder, "real/current"));
  const codes: string[] = [];
  for (const [root, value, path] of [
    ["link", "secrets", "secrets/x"],
    ["real", "current", "current/x"],
  ] as const) {
    const policies = [when("deny", { type: "path", operator: "inside", value })];
    const { gate } = await createTestGate({ tools: [tool()], roots: [join(folder, root)], policies });
    codes.push(codeOf(await gate.dispatch({ tool: "x.run", input: { path } })));
  }
  rmSync(folder, { recursive: true });
  expect(codes).toEqual(["policy_denied", "policy_denied"]);
});

it("paths of a command are read from the folder the call names", async () => {
  const policies = [when("deny", { type: "path", operator: "equals", value: "secrets/x" })];
  const request = running({ command: "cat x", cwd: "secrets" });
  expect(await endOf({ tools: [shell], policies }, request)).toBe("policy_denied");
});

it.for([
  ["inside", "evil.example", "https://evil.example./"],
  ["inside", "evil.example", "https://sub.evil.example./x"],
  ["inside", "bücher.example", "https://bücher.example/"],
  ["inside", "https://evil.example", "https://evil.example/"],
  ["equals", "https://evil.example", "https://evil.example"],
] as const)("URL rules: %s %j holds for %j, or is refused at load", async ([operator, value, url]) => {
  const policies = [when("deny", { type: "url", operator, value })];
  const made = await paperGate({ tools: [tool()], policies, answers: ["approve"] }).catch(() => undefined);
  if (made !== undefined)
    expect(codeOf(await made.gate.dispatch({ tool: "x.run", input: { url } }))).toBe("policy_denied");
});

describe("command rules", () => {
  const verdict = async (policies: Policy[], command: string) => {
    const { gate } = await paperGate({ tools: [shell], policies });
    return (await gate.explain({ tool: "shell.exec", input: { command } })).verdict;
  };
  it("a deny by pattern does not pass what is not known before it runs", async () => {
    const policies = butDeny({ type: "command", operator: "matches", value: "push --force" });
    expect(await verdict(policies, "git push $flags")).not.toBe("allow");
  });
  it("an approval by pattern does not cover a word that is not known", async () => {
    const policies = [when("approve", { type: "command", operator: "matches", value: "^git " })];
    expect(await verdict(policies, "git $x")).toBe("ask");
  });
});

it("an approval by content must hold for all content", async () => {
  const policies = [when("approve", { type: "content", operator: "equals", value: "ok" })];
  const request = writing({ path: "a", content: "evil", text: "ok" });
  expect(await endOf({ tools: [write], policies }, request)).toBe("no_approver");
});

describe("the lock", () => {
  it("is let go when a layer throws before it returns a promise", async () => {
    const { gate } = await paperGate({ tools: [write], policies: approve });
    let broken = true;
    gate.use((_, next) => {
      if (broken) throw new Error("layer broke");
      return next();
    });
    expect(codeOf(await gate.dispatch({ tool: "notes.write" }))).toBe("tool_failed");
    broken = false;
    expect(await gate.dispatch({ tool: "notes.write" })).toMatchObject({ ok: true });
  });
  it("is let go when the caller's signal is none", async () => {
    const { gate } = await paperGate({ tools: [write], policies: approve });
    await gate.dispatch({ tool: "notes.write", signal: {} as never });
    expect(await gate.dispatch({ tool: "notes.write" })).toMatchObject({ ok: true });
  });
  it("does not let a tool that calls another through the gate wait for itself", async () => {
    const { gate } = await paperGate({
      tools: [
        tool(),
        tool({ id: "outer", permission: "write", run: () => gate.dispatch({ tool: "x.run" }).then(codeOf) }),
      ],
      policies: approve,
    });
    expect(await gate.dispatch({ tool: "outer" })).toMatchObject({ ok: true, value: "ran" });
  });
  it("is let go when what the tool returned has a then that throws", async () => {
    const { gate } = await paperGate({
      tools: [
        write,
        tool({
          permission: "write",
          run: () => ({
            // biome-ignore lint/suspicious/noThenProperty: a broken thenable is the attack
            then: throws(new Error("no promise")),
          }),
        }),
      ],
      policies: approve,
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("tool_failed");
    expect(await gate.dispatch({ tool: "notes.write" })).toMatchObject({ ok: true });
  });
});

describe("cancelling", () => {
  it("while the intent is written does not start the tool", async () => {
    const controller = new AbortController();
    let runs = 0;
    const gate = await createGate({
      tools: [tool({ permission: "write", run: () => void runs++ })],
      policies: approve,
      ledger: { open: async () => controller.abort(), close: () => {} },
    });
    expect([codeOf(await gate.dispatch({ tool: "x.run", signal: controller.signal })), runs]).toEqual([
      "cancelled",
      0,
    ]);
  });
  it("ends a call whose own check hangs", async () => {
    const controller = new AbortController();
    const { gate } = await paperGate({ tools: [tool({ validate: () => new Promise<undefined>(() => {}) })] });
    const call = gate.dispatch({ tool: "x.run", signal: controller.signal });
    await settle();
    controller.abort();
    expect(await call).toMatchObject({ error: { code: "cancelled" } });
  });
});

describe("what went wrong after the run", () => {
  it("does not read as a refusal in the ledger when output cannot be kept", async () => {
    const { gate, ledger } = await paperGate({
      tools: [tool({ permission: "write", maxOutputBytes: 10, run: () => "x".repeat(100) })],
      policies: approve,
      spill: { save: () => Promise.reject(new Error("disk full")) },
    });
    await gate.dispatch({ tool: "x.run" });
    expect(ledger.records()).toMatchObject([{ verdict: "allow", ok: true }]);
  });
  it("is the tool's failure when its content is malformed", async () => {
    const { gate, ledger } = await paperGate({
      tools: [tool({ run: () => ({ content: [{ type: "text" }] }) })],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).not.toBe("internal_error");
    expect(ledger.records()).toMatchObject([{ verdict: "allow" }]);
  });
  it("is the tool's failure when its output cannot be checked", async () => {
    const output = {
      "~standard": {
        version: 1,
        vendor: "t",
        validate: () => Promise.reject(new Error("gone")),
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    };
    const { gate, ledger } = await paperGate({ tools: [tool({ output: output as never })] });
    expect([codeOf(await gate.dispatch({ tool: "x.run" })), ledger.records()[0]?.verdict]).toEqual([
      "invalid_output",
      "allow",
    ]);
  });
  it("is capped: a thrown message cannot be longer than output may be", async () => {
    const { gate } = await paperGate({ tools: [tool({ run: throws(new Error("x".repeat(1_000_000))) })] });
    expect(messageOf(await gate.dispatch({ tool: "x.run" })).length).toBeLessThan(100_000);
  });
});

describe("hooks", () => {
  it("see what a route made of their own rewrite", async () => {
    const hooks = [
      {
        name: "h",
        type: "PreToolUse" as const,
        run: ({ preToolUse }: { preToolUse: { parameters: unknown } }) => {
          const { q } = preToolUse.parameters as { q: string };
          return q === "x" ? { modifiedParams: { q: "a" } } : { cancel: q === "b" };
        },
      },
    ];
    const { gate } = await paperGate({
      tools: [tool()],
      hooks,
      routes: [{ name: "r", tool: "*", field: "q", pattern: "^a$", action: "rewrite", rewrite: { q: "b" } }],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "b" } }))).toBe("hook_cancelled");
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { q: "x" } }))).toBe("hook_cancelled");
  });
  it.each([
    ["at once", (reply: object) => reply],
    ["later", async (reply: object) => reply],
  ])("that answer something unreadable %s fail as hooks", async (_, deliver) => {
    const reply = {
      get cancel(): boolean {
        throw new Error("unreadable");
      },
    };
    const { gate, clock } = await paperGate({
      tools: [tool()],
      hooks: [{ name: "h", type: "PreToolUse", failMode: "open", run: () => deliver(reply) as never }],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(1);
    expect(codeOf(await call)).toBe("ran");
  });
});

describe("rules that are accepted and never hold", () => {
  it("a route of an unknown tier is refused", async () => {
    await expect(
      paperGate({ routes: [{ name: "r", tool: "*", pattern: "x", message: "m", tier: "global" as never }] }),
    ).rejects.toThrow(/tier/);
  });
  it.each([
    { type: "size", operator: "equals", value: "10" },
    { type: "argument", field: "x", operator: "equals" },
  ])("condition %j is refused", async (condition) => {
    await expect(
      paperGate({ policies: [{ name: "p", tools: "*", action: "deny", conditions: [condition as never] }] }),
    ).rejects.toThrow();
  });
  it("a limit for an unknown category is refused, one for a union holds for its members", async () => {
    await expect(
      paperGate({ limits: [{ name: "l", category: "developmnet", concurrent: 1 }] }),
    ).rejects.toThrow(/developmnet/);
    const { gate } = await paperGate({
      tools: [tool({ category: "editing" })],
      enable: { enabledCategories: ["development"] },
      limits: [{ name: "l", category: "development", max: 0, windowMs: 1000 }],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("rate_limited");
  });
  it("a deny on a list argument holds for any element", async () => {
    const policies = [
      when("deny", { type: "argument", field: "to[].role", operator: "equals", value: "admin" }),
    ];
    const input = { to: [{ role: "user" }, { role: "admin" }] };
    expect(await endOf({ tools: [tool()], policies }, { input })).toBe("policy_denied");
  });
});

describe("the rest", () => {
  it("categories can be given to createGate", async () => {
    const { gate } = await paperGate({
      categories: [{ id: "billing", name: "B", description: "d", enabled: true, ceiling: "read" }],
    });
    expect(gate.categories.get("billing")?.ceiling).toBe("read");
  });
  it("the rules set last hold, however long the others take to load", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const versions = await Promise.all([
      gate.setRules({ routes: [{ name: "old", tool: "*", pattern: "(?<=a)b", message: "m" }] }),
      gate.setRules({ policies: [{ name: "new", tools: "*", action: "deny" }] }),
    ]);
    expect([versions, codeOf(await gate.dispatch({ tool: "x.run" }))]).toEqual([[2, 3], "policy_denied"]);
  });
  it("close ends a call that comes to the desk afterwards", async () => {
    const held = Promise.withResolvers<void>();
    const { gate } = await paperGate({
      tools: [write],
      approver: "desk",
      hooks: [{ name: "h", type: "PreToolUse", run: () => held.promise }],
    });
    const call = gate.dispatch({ tool: "notes.write" });
    await settle();
    const closing = gate.close();
    held.resolve();
    await closing;
    expect(codeOf(await call)).not.toBe("ran");
  });
  it("a tool changed in place while it waits does not run", async () => {
    const plain = { ...write, run: () => "original" };
    const { gate } = await paperGate({ tools: [plain], approver: "desk" });
    const call = gate.dispatch({ tool: "notes.write" });
    await settle();
    // Where it is frozen, this fails.
    await (async () => Object.assign(plain, { run: () => "evil", description: "Other." }))().catch(() => {});
    const [request] = await gate.approvals.pending();
    await gate.approvals.answer(request?.id ?? "", { decision: "approve", by: "ann" });
    expect(await call).not.toMatchObject({ value: "evil" });
  });
  it("a listener that leaves twice takes nobody with it", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const seen: string[] = [];
    const off = gate.events.on("call-end", () => {});
    off();
    gate.events.on("call-end", () => seen.push("told"));
    off();
    await gate.dispatch({ tool: "x.run" });
    expect(seen).toEqual(["told"]);
  });
  it("a grant's time given as text is refused", async () => {
    const { gate } = await paperGate({ tools: [write], approver: "desk" });
    void gate.dispatch({ tool: "notes.write" });
    await settle();
    const [request] = await gate.approvals.pending();
    const answer = { decision: "approve", by: "ann", scope: "user", expiresInMs: "1000" as never } as const;
    expect(await gate.approvals.answer(request?.id ?? "", answer)).toMatchObject({ ok: false });
  });
  it("a grant for the tool, given inside the workspace, does not cover what lies outside", async () => {
    const { gate } = await paperGate({
      tools: [write],
      answers: [{ decision: "approve", scope: "user", covers: "tool" }, "deny"],
    });
    await gate.dispatch({ tool: "notes.write", input: { path: "a.txt" } });
    expect(codeOf(await gate.dispatch({ tool: "notes.write", input: { path: "/etc/cron.d/x" } }))).toBe(
      "approval_denied",
    );
  });
  it("partial input reaches no tool that is switched off", async () => {
    let told = 0;
    const { gate } = await paperGate({ tools: [tool({ category: "shell", onPartial: () => void told++ })] });
    await gate.partial({ tool: "x.run", toolUseId: "u", input: {} });
    expect(told).toBe(0);
  });
  it("validateCall answers for a cycle instead of throwing, and shortly for a long name", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(await gate.tools.validateCall("x.run", cycle)).toMatchObject({ ok: false });
    const long = await gate.tools.validateCall("\u202e".repeat(10_000), {});
    expect(long.ok ? 0 : long.issues[0]?.message.length).toBeLessThan(1_000);
  });
  it("an unknown category is told in few words", async () => {
    const { gate } = await paperGate();
    for (const name of ["x".repeat(10_000), "zzzzzz"]) {
      const told = await (async () => gate.categories.enable(name))().then(() => "", String);
      expect(told.length).toBeLessThan(600);
      expect(told).not.toMatch(/" Known/);
    }
  });
  it("a rewrite changes the field that matched", async () => {
    const seen: unknown[] = [];
    const echo = tool({
      id: "shell.exec",
      roles: { command: ["cmd", "command"] },
      run: (args: unknown) => void seen.push(args),
    });
    const { gate } = await paperGate({
      tools: [echo],
      policies: approve,
      routes: [
        { name: "r", tool: "Bash", pattern: "^npm ci$", action: "rewrite", rewrite: { command: "ls" } },
      ],
    });
    await gate.dispatch({ tool: "shell.exec", input: { cmd: "npm ci", command: "pwd" } });
    expect(seen).not.toEqual([expect.objectContaining({ cmd: "npm ci" })]);
  });
  it("a tool that is always denied in plan mode is not advertised there", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      policies: [
        { name: "no", tools: "*", action: "deny" },
        { name: "yes", tools: "*", action: "approve", modes: ["act"], priority: 5 },
      ],
    });
    expect(gate.tools.definitions({ mode: "plan" })).toEqual([]);
  });
  it("a listener that rejects later is told like one that throws", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    const errors: unknown[] = [];
    gate.events.on("listener-error", (event) => errors.push(event));
    gate.events.on("call-end", () => Promise.reject(new Error("later")) as never);
    await gate.dispatch({ tool: "x.run" });
    await settle();
    expect(errors).toHaveLength(1);
  });
  it("a limit on calls at once counts a tool that ignores its time-out until it ends", async () => {
    const { gate, clock } = await paperGate({
      tools: [tool({ timeoutMs: 10, lock: "none", run: () => new Promise(() => {}) })],
      limits: [{ name: "one", concurrent: 1 }],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(10);
    await call;
    const next = gate.dispatch({ tool: "x.run" });
    await clock.advance(10);
    expect(codeOf(await next)).toBe("too_many_running");
  });
  it("a rule about a tool that only calls another holds", async () => {
    const tools = [tool(), tool({ id: "tools.call", delegate: (input) => input as never })];
    const policies: Policy[] = [{ name: "no", tools: "tools.call", action: "deny" }];
    const request = { tool: "tools.call", input: { tool: "x.run", input: {} } };
    expect(await endOf({ tools, policies }, request)).toBe("policy_denied");
  });
  it("grants that expired are not listed", async () => {
    const { gate, clock } = await paperGate({
      tools: [write],
      answers: [{ decision: "approve", scope: "user", expiresInMs: 10 }],
    });
    await gate.dispatch({ tool: "notes.write" });
    await clock.advance(11);
    expect(await gate.grants.list()).toEqual([]);
  });
});

describe("a call with more paths than anybody judges one by one", () => {
  const paths = Array.from({ length: 45_000 }, (_, index) => `a/b/c/d/${index}`);
  const read = tool({ id: "notes.read" });

  it("is asked about, and holds nobody up while it is seen where each of them leads", async () => {
    let located = 0;
    const locatePath: LocatePath = (...given) => {
      located++;
      return paper.locateOnPaper(...given);
    };
    const { gate } = await paperGate({ tools: [read], locatePath });
    const outcome = await gate.dispatch({ tool: "notes.read", input: { paths } });
    expect(codeOf(outcome)).toBe("no_approver");
    expect(messageOf(outcome)).toContain("more than 256");
    expect(located).toBeLessThan(1_000);
  });

  it("is approved by no policy, also by one that approves what is not understood", async () => {
    const policies = [when("approve", { type: "risk", operator: "equals", value: ["read", "opaque"] })];
    const reading = (all: string[]) =>
      endOf({ tools: [read], policies }, { tool: "notes.read", input: { paths: all } });
    expect(await reading(paths.slice(0, 256))).toBe("ran");
    expect(await reading([...paths, ".env"])).toBe("no_approver");
  });

  it("is asked about also by an agent's hook where a rule speaks of paths", async () => {
    const { gate } = await paperGate({
      policies: [when("deny", { type: "path", operator: "inside", value: "secrets" })],
    });
    const request = { tool: "mcp__files__read", input: { paths: [...paths, "secrets/a"] } };
    expect((await gate.check(request, { wait: false })).verdict).toBe("ask");
  });
});
