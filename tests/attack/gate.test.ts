import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate, type LocatePath, type Policy } from "../../src/index.ts";
import { judgeCommand } from "../../src/shell/judge.ts";
import { codeOf, locateOnPaper, messageOf, paperGate, settle, shell, tool } from "../unit/paper-gate.ts";

const approve: Policy[] = [{ name: "yes", tools: "*", action: "approve" }];
const write = tool({ id: "notes.write", permission: "write" });
const soon = <Value>(promise: Promise<Value>) =>
  Promise.race([promise, new Promise<"hangs">((resolve) => setTimeout(() => resolve("hangs"), 300))]);
const denyUrl = (operator: "inside" | "equals", value: string): Policy[] => [
  { name: "no", tools: "*", action: "deny", conditions: [{ type: "url", operator, value }] },
];

describe("a junk `command` field never replaces the tool's own risk", () => {
  it("a writer with an extra command still asks", async () => {
    const { gate } = await paperGate({ tools: [write] });
    expect(
      codeOf(
        await gate.dispatch({
          tool: "notes.write",
          input: { path: "a.txt", content: "evil", command: "ls" },
        }),
      ),
    ).toBe("no_approver");
  });
  it("a writer with an extra command is stopped in plan mode", async () => {
    const { gate } = await paperGate({ tools: [write], policies: approve });
    expect(
      codeOf(
        await gate.dispatch({ tool: "notes.write", input: { path: "a.txt", command: "ls" }, mode: "plan" }),
      ),
    ).toBe("plan_mode");
  });
  it("a tool that executes and is no shell asks, also with an empty command", async () => {
    const { gate } = await paperGate({ tools: [tool({ permission: "execute", capabilities: ["net:ssh"] })] });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { host: "prod", command: "ls" } }))).toBe(
      "no_approver",
    );
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { command: "", code: "evil" } }))).toBe(
      "no_approver",
    );
  });
  it("a command beside a URL hides the URL from no rule", async () => {
    const { gate } = await paperGate({ tools: [tool()], policies: denyUrl("inside", "evil.example") });
    expect(
      codeOf(await gate.dispatch({ tool: "x.run", input: { url: "https://evil.example/", command: "ls" } })),
    ).toBe("policy_denied");
  });
  it("a command beside a URL hides the URL from no route", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      routes: [{ name: "r", tool: "*", pattern: "evil", message: "No." }],
    });
    expect(
      codeOf(await gate.dispatch({ tool: "x.run", input: { url: "https://evil.example/", command: "ls" } })),
    ).toBe("route_blocked");
  });
  it("a path beside a URL does not make it local", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    expect(
      codeOf(await gate.dispatch({ tool: "x.run", input: { url: "https://evil.example/", path: "a.txt" } })),
    ).toBe("no_approver");
  });
});

describe("a value in a role that is not plain text", () => {
  it("a path inside an object is not overlooked", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { file: { path: "/etc/passwd" } } }))).not.toBe(
      "ran",
    );
  });
  it("commands given as lists of words are judged", async () => {
    const policies: Policy[] = [
      ...approve,
      {
        name: "no-rm",
        tools: "*",
        action: "deny",
        priority: 1,
        conditions: [{ type: "command", operator: "startsWith", value: "rm" }],
      },
    ];
    const { gate } = await paperGate({ tools: [shell], policies });
    expect(
      codeOf(await gate.dispatch({ tool: "shell.exec", input: { commands: [["rm", "-rf", "/"]] } })),
    ).not.toBe("ran");
  });
});

describe("an allow route that matches one value", () => {
  it("a second value cannot carry the first past a block", async () => {
    const routes = [
      { name: "a", tool: "Bash", pattern: "^ls$", action: "allow" as const },
      { name: "b", tool: "Bash", pattern: "--force", message: "No." },
    ];
    const { gate } = await paperGate({ tools: [shell], policies: approve, routes });
    expect(
      codeOf(await gate.dispatch({ tool: "shell.exec", input: { command: "git push --force", cmd: "ls" } })),
    ).toBe("route_blocked");
    expect(
      codeOf(await gate.dispatch({ tool: "shell.exec", input: { commands: ["git push --force", "ls"] } })),
    ).toBe("route_blocked");
  });
});

describe("rules for Bash", () => {
  it.each(["bash", "execute_command", "run_shell_command", "Bash"])(
    "hold for a registered tool whose id is %s",
    async (id) => {
      for (const tools of ["Bash", "shell.exec", "bash"]) {
        const { gate } = await paperGate({
          tools: [tool({ id })],
          policies: [{ name: "no", tools, action: "deny" }],
        });
        expect([tools, codeOf(await gate.dispatch({ tool: id }))]).toEqual([tools, "policy_denied"]);
      }
    },
  );
});

describe("path rules where the workspace is reached through a link", () => {
  it("hold as written", async () => {
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
      const { createTestGate } = await import("../../src/testing/index.ts");
      const { gate } = await createTestGate({
        tools: [tool()],
        roots: [join(folder, root)],
        policies: [
          {
            name: "no",
            tools: "*",
            action: "deny",
            conditions: [{ type: "path", operator: "inside", value }],
          },
        ],
      });
      codes.push(codeOf(await gate.dispatch({ tool: "x.run", input: { path } })));
    }
    rmSync(folder, { recursive: true });
    expect(codes).toEqual(["policy_denied", "policy_denied"]);
  });
});

describe("paths of a command", () => {
  it("are read from the folder the call names", async () => {
    const policies: Policy[] = [
      {
        name: "no",
        tools: "*",
        action: "deny",
        conditions: [{ type: "path", operator: "equals", value: "secrets/x" }],
      },
    ];
    const { gate } = await paperGate({ tools: [shell], policies });
    expect(
      codeOf(await gate.dispatch({ tool: "shell.exec", input: { command: "cat x", cwd: "secrets" } })),
    ).toBe("policy_denied");
  });
});

describe("URL rules", () => {
  it.each([
    ["inside", "evil.example", "https://evil.example./"],
    ["inside", "evil.example", "https://sub.evil.example./x"],
    ["inside", "bücher.example", "https://bücher.example/"],
    ["inside", "https://evil.example", "https://evil.example/"],
    ["equals", "https://evil.example", "https://evil.example"],
  ] as const)("%s %j hold for %j", async (operator, value, url) => {
    const { gate } = await paperGate({
      tools: [tool()],
      policies: denyUrl(operator, value),
      answers: ["approve"],
    }).catch(() =>
      paperGate({ tools: [tool()], policies: [{ name: "refused at load", tools: "*", action: "deny" }] }),
    );
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { url } }))).toBe("policy_denied");
  });
});

describe("command rules", () => {
  it("a deny by pattern does not pass what is not known before it runs", async () => {
    const policies: Policy[] = [
      ...approve,
      {
        name: "no",
        tools: "*",
        action: "deny",
        priority: 1,
        conditions: [{ type: "command", operator: "matches", value: "push --force" }],
      },
    ];
    const { gate } = await paperGate({ tools: [shell], policies });
    expect(
      (await gate.explain({ tool: "shell.exec", input: { command: "git push $flags" } })).verdict,
    ).not.toBe("allow");
  });
  it("an approval by pattern does not cover a word that is not known", async () => {
    const { gate } = await paperGate({
      tools: [shell],
      policies: [
        {
          name: "yes",
          tools: "*",
          action: "approve",
          conditions: [{ type: "command", operator: "matches", value: "^git " }],
        },
      ],
    });
    expect((await gate.explain({ tool: "shell.exec", input: { command: "git $x" } })).verdict).toBe("ask");
  });
  it("a deny of git push sees through git's own options", async () => {
    const { gate } = await paperGate({
      tools: [shell],
      judgeCommand,
      policies: [
        ...approve,
        {
          name: "no",
          tools: "*",
          action: "deny",
          priority: 1,
          conditions: [{ type: "command", operator: "startsWith", value: "git push" }],
        },
      ],
    });
    for (const command of ["git -C . push --force", "git -c a=b push", "git --no-pager push"])
      expect([command, codeOf(await gate.dispatch({ tool: "shell.exec", input: { command } }))]).toEqual([
        command,
        "policy_denied",
      ]);
  });
});

describe("content", () => {
  it("an approval by content must hold for all content", async () => {
    const { gate } = await paperGate({
      tools: [write],
      policies: [
        {
          name: "yes",
          tools: "*",
          action: "approve",
          conditions: [{ type: "content", operator: "equals", value: "ok" }],
        },
      ],
    });
    expect(
      codeOf(await gate.dispatch({ tool: "notes.write", input: { path: "a", content: "evil", text: "ok" } })),
    ).toBe("no_approver");
  });
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
    expect(await soon(gate.dispatch({ tool: "notes.write" }))).toMatchObject({ ok: true });
  });
  it("is let go when the caller's signal is none", async () => {
    const { gate } = await paperGate({ tools: [write], policies: approve });
    await gate.dispatch({ tool: "notes.write", signal: {} as never });
    expect(await soon(gate.dispatch({ tool: "notes.write" }))).toMatchObject({ ok: true });
  });
  it("does not let a tool that calls another through the gate wait for itself", async () => {
    const { gate } = await paperGate({
      tools: [
        tool(),
        tool({ id: "outer", permission: "write", run: () => gate.dispatch({ tool: "x.run" }).then(codeOf) }),
      ],
      policies: approve,
    });
    expect(await soon(gate.dispatch({ tool: "outer" }))).toMatchObject({ ok: true, value: "ran" });
  });
});

describe("the lock, again", () => {
  it("is let go when what the tool returned has a then that throws", async () => {
    const { gate } = await paperGate({
      tools: [
        write,
        tool({
          permission: "write",
          run: () => ({
            // biome-ignore lint/suspicious/noThenProperty: a broken thenable is the attack
            then: () => {
              throw new Error("no promise");
            },
          }),
        }),
      ],
      policies: approve,
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("tool_failed");
    expect(await soon(gate.dispatch({ tool: "notes.write" }))).toMatchObject({ ok: true });
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
    expect(await soon(call)).toMatchObject({ error: { code: "cancelled" } });
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
    const { gate } = await paperGate({
      tools: [
        tool({
          run: () => {
            throw new Error("x".repeat(1_000_000));
          },
        }),
      ],
    });
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
    expect(codeOf((await soon(call)) as never)).toBe("ran");
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
    const { gate } = await paperGate({
      tools: [tool()],
      policies: [
        {
          name: "no",
          tools: "*",
          action: "deny",
          conditions: [{ type: "argument", field: "to[].role", operator: "equals", value: "admin" }],
        },
      ],
    });
    expect(
      codeOf(await gate.dispatch({ tool: "x.run", input: { to: [{ role: "user" }, { role: "admin" }] } })),
    ).toBe("policy_denied");
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
    let go = () => {};
    const { gate } = await paperGate({
      tools: [write],
      approver: "desk",
      hooks: [
        {
          name: "h",
          type: "PreToolUse",
          run: () =>
            new Promise<void>((resolve) => {
              go = resolve;
            }),
        },
      ],
    });
    const call = gate.dispatch({ tool: "notes.write" });
    await settle();
    const closing = gate.close();
    go();
    expect(await soon(closing)).not.toBe("hangs");
    expect(codeOf(await call)).not.toBe("ran");
  });
  it("a tool changed in place while it waits does not run", async () => {
    const plain = { ...write, run: () => "original" };
    const { gate } = await paperGate({ tools: [plain], approver: "desk" });
    const call = gate.dispatch({ tool: "notes.write" });
    await settle();
    try {
      Object.assign(plain, { run: () => "evil", description: "Other." });
    } catch {
      /* frozen is fine */
    }
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
    expect(
      await gate.approvals.answer(request?.id ?? "", {
        decision: "approve",
        by: "ann",
        scope: "user",
        expiresInMs: "1000" as never,
      }),
    ).toMatchObject({ ok: false });
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
      const told = (() => {
        try {
          gate.categories.enable(name);
          return "";
        } catch (error) {
          return String(error);
        }
      })();
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
    gate.events.on("call-end", async () => {
      throw new Error("later");
    });
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
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "tools.call", delegate: (input) => input as never })],
      policies: [{ name: "no", tools: "tools.call", action: "deny" }],
    });
    expect(codeOf(await gate.dispatch({ tool: "tools.call", input: { tool: "x.run", input: {} } }))).toBe(
      "policy_denied",
    );
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
      return locateOnPaper(...given);
    };
    const { gate } = await paperGate({ tools: [read], locatePath });
    const outcome = await gate.dispatch({ tool: "notes.read", input: { paths } });
    expect(codeOf(outcome)).toBe("no_approver");
    expect(messageOf(outcome)).toContain("more than 256");
    expect(located).toBeLessThan(1_000);
  });

  it("is approved by no policy, also by one that approves what is not understood", async () => {
    const value = ["read", "opaque"];
    const { gate } = await paperGate({
      tools: [read],
      policies: [
        {
          name: "any",
          tools: "*",
          action: "approve",
          conditions: [{ type: "risk", operator: "equals", value }],
        },
      ],
    });
    const few = await gate.dispatch({ tool: "notes.read", input: { paths: paths.slice(0, 256) } });
    expect(codeOf(few)).toBe("ran");
    const hiding = await gate.dispatch({ tool: "notes.read", input: { paths: [...paths, ".env"] } });
    expect(codeOf(hiding)).toBe("no_approver");
  });

  it("is asked about also by an agent's hook where a rule speaks of paths", async () => {
    const conditions = [{ type: "path", operator: "inside", value: "secrets" }] as const;
    const { gate } = await paperGate({ policies: [{ name: "no", tools: "*", action: "deny", conditions }] });
    const checked = await gate.check(
      { tool: "mcp__files__read", input: { paths: [...paths, "secrets/a"] } },
      { wait: false },
    );
    expect(checked.verdict).toBe("ask");
  });
});
