import { describe, expect, it } from "vitest";
import type { Policy } from "../../../src/index.ts";
import { paperGate, shell, tool } from "../paper-gate.ts";

const write = tool({ id: "notes.write", permission: "write" });
const read = tool({ id: "notes.read" });
const fetch = tool({ id: "web.get", capabilities: ["net:fetch"] });

/** `verdict` and the deciding rule's name. */
async function judged(
  policies: readonly Policy[],
  id: string,
  input: unknown = {},
  more: object = {},
): Promise<string> {
  const { gate } = await paperGate({ tools: [read, write, fetch, shell], policies });
  const { verdict, rule } = await gate.explain({ tool: id, input, ...more });
  return `${verdict} ${rule?.name}`;
}

const policy = (name: string, action: Policy["action"], more: Partial<Policy> = {}): Policy => ({
  name,
  tools: "*",
  action,
  ...more,
});
const path = (operator: "inside" | "equals" | "contains", value: string) => ({
  type: "path" as const,
  operator,
  value,
});
const command = (value: string) => ({ type: "command" as const, operator: "startsWith" as const, value });

describe("priority and tiers", () => {
  it("lets the highest priority decide", async () => {
    expect(
      await judged([policy("low", "deny"), policy("high", "approve", { priority: 1 })], "notes.write"),
    ).toBe("allow high");
    expect(
      await judged([policy("low", "approve"), policy("high", "ask", { priority: 0.5 })], "notes.write"),
    ).toBe("ask high");
    expect(
      await judged([policy("zero", "deny"), policy("minus", "approve", { priority: -1 })], "notes.write"),
    ).toBe("deny zero");
  });

  it("lets the stricter win at equal priority, in any order", async () => {
    const all = [policy("a", "approve"), policy("b", "ask"), policy("c", "deny")];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      expect(
        await judged(
          order.map((index) => all[index] as Policy),
          "notes.write",
        ),
      ).toBe("deny c");
    }
    expect(await judged(all.slice(0, 2), "notes.write")).toBe("ask b");
  });

  it.each(["plugin", "project", "user"] as const)(
    "lets no rule of tier %s lift an admin's, whatever its priority",
    async (tier) => {
      const admin = policy("admin", "deny", { tier: "admin" });
      expect(await judged([admin, policy("low", "approve", { tier, priority: 1_000 })], "notes.write")).toBe(
        "deny admin",
      );
      expect(
        await judged(
          [{ ...admin, action: "ask" }, policy("low", "approve", { tier, priority: 1_000 })],
          "notes.write",
        ),
      ).toBe("ask admin");
    },
  );

  it("lets a less trusted rule narrow", async () => {
    expect(
      await judged(
        [
          policy("admin", "approve", { tier: "admin", priority: 9 }),
          policy("plugin", "deny", { tier: "plugin", priority: 10 }),
        ],
        "notes.read",
      ),
    ).toBe("deny plugin");
  });

  it("lets a more trusted rule of higher priority lift a less trusted deny", async () => {
    expect(
      await judged(
        [policy("plugin", "deny", { tier: "plugin" }), policy("user", "approve", { priority: 1 })],
        "notes.write",
      ),
    ).toBe("allow user");
  });

  it("lets a plugin's approval lift no default", async () => {
    const plugin = policy("plugin", "approve", { tier: "plugin", priority: 100 });
    expect(await judged([plugin], "notes.write")).toBe("ask ask");
    expect(await judged([plugin], "web.get")).toBe("ask ask");
    expect(await judged([plugin], "notes.read", { path: "/etc/hosts" })).toBe("ask outside-workspace");
    expect((await judged([plugin], "notes.read")).split(" ")[0]).toBe("allow");
  });

  it("does not let a plugin's approval stand in the way of a person's own", async () => {
    expect(
      await judged(
        [policy("plugin", "approve", { tier: "plugin", priority: 9 }), policy("mine", "approve")],
        "notes.write",
      ),
    ).toBe("allow mine");
  });

  it("applies a rule in its modes only", async () => {
    const planOnly = policy("plan", "deny", { modes: ["plan"] });
    expect(await judged([planOnly], "notes.read", {}, { mode: "plan" })).toBe("deny plan");
    expect((await judged([planOnly], "notes.read")).split(" ")[0]).toBe("allow");
  });
});

describe("where no policy speaks", () => {
  it.each([
    [
      "reading inside the workspace passes",
      "notes.read",
      { path: "src/a.ts" },
      "allow read-inside-workspace",
    ],
    ["reading nothing in particular passes", "notes.read", {}, "allow read-inside-workspace"],
    ["reading outside asks", "notes.read", { path: "../other" }, "ask outside-workspace"],
    ["reading what is protected is denied", "notes.read", { path: ".env" }, "deny protected-path"],
    ["writing asks", "notes.write", { path: "a" }, "ask ask"],
    ["the network asks, even to read", "web.get", { q: "x" }, "ask ask"],
    [
      "one of several paths outside asks",
      "notes.read",
      { paths: ["a", "/etc/hosts"] },
      "ask outside-workspace",
    ],
    [
      "one of several paths protected is denied",
      "notes.read",
      { paths: ["/etc/hosts", "a", ".env"] },
      "deny protected-path",
    ],
    ["a harmless command passes", "shell.exec", { command: "ls src" }, "allow read-inside-workspace"],
    ["a command that writes asks", "shell.exec", { command: "touch a" }, "ask ask"],
    ["a command that uses the network asks", "shell.exec", { command: "curl x" }, "ask ask"],
    ["a path that is not known asks", "shell.exec", { command: "cat $f" }, "ask ask"],
    ["a command not understood asks", "shell.exec", { command: "eval x" }, "ask opaque-command"],
    ["a command reading outside asks", "shell.exec", { command: "cat /etc/hosts" }, "ask outside-workspace"],
    [
      "a command reading what is protected is denied",
      "shell.exec",
      { command: "cat .env" },
      "deny protected-path",
    ],
    ["an empty command runs nothing", "shell.exec", { command: "" }, "allow read-inside-workspace"],
  ])("%s", async (_, id, input, expected) => {
    expect(await judged([], id, input)).toBe(expected);
  });
});

describe("the parts of a shell line", () => {
  const git = policy("git", "approve", { conditions: [command("git")] });

  it("are all judged: one bad command decides", async () => {
    expect(await judged([git], "shell.exec", { command: "git status" })).toBe("allow git");
    expect(await judged([git], "shell.exec", { command: "git status && node x" })).toBe("ask ask");
    expect(
      await judged([git, policy("rm", "deny", { conditions: [command("rm")] })], "shell.exec", {
        command: "git status && rm a",
      }),
    ).toBe("deny rm");
  });

  it("include redirects, which a rule for the command does not cover", async () => {
    expect(await judged([git], "shell.exec", { command: "git log > out.txt" })).toBe("ask ask");
    const writes = policy("out", "approve", { conditions: [path("inside", "out")] });
    expect(await judged([git, writes], "shell.exec", { command: "git log > out/log.txt" })).toBe("allow git");
    expect(await judged([git, writes], "shell.exec", { command: "git log > /etc/x" })).toBe(
      "ask outside-workspace",
    );
  });

  it("that are not understood are approved only by a rule about risk", async () => {
    expect(await judged([policy("all", "approve")], "shell.exec", { command: "eval x" })).toBe(
      "ask opaque-command",
    );
    const risky = policy("risky", "approve", {
      conditions: [{ type: "risk", operator: "equals", value: "opaque" }],
    });
    expect(await judged([risky], "shell.exec", { command: "eval x" })).toBe("allow risky");
    expect(await judged([policy("no", "deny")], "shell.exec", { command: "eval x" })).toBe("deny no");
  });

  it("that go beyond a program's plain use need a rule that says so", async () => {
    const find = policy("find", "approve", { conditions: [command("find")] });
    expect(await judged([find], "shell.exec", { command: "find src" })).toBe("allow find");
    expect(await judged([find], "shell.exec", { command: "find src -delete" })).toBe("ask ask");
    const exact = policy("exact", "approve", {
      conditions: [{ type: "command", operator: "equals", value: "find src -delete" }],
    });
    expect(await judged([exact], "shell.exec", { command: "find src -delete" })).toBe("allow exact");
  });

  it("inside a wrapper are denied as without, but approved only in plain ones", async () => {
    expect(
      await judged([policy("no", "deny", { conditions: [command("git")] })], "shell.exec", {
        command: "sudo git push",
      }),
    ).toBe("deny no");
    expect(await judged([git], "shell.exec", { command: "sudo git status" })).toBe("ask ask");
    expect(await judged([git], "shell.exec", { command: "timeout git status" })).toBe("allow git");
  });

  it("are counted only so far: a line of very many parts is not understood", async () => {
    const line = Array.from({ length: 300 }, () => "git status").join(" && ");
    expect(await judged([git], "shell.exec", { command: line })).toBe("ask opaque-command");
  });
});

describe("paths", () => {
  const all = policy("all", "approve");

  it("outside the workspace ask, unless a rule speaks of paths", async () => {
    expect(await judged([all], "notes.write", { path: "/srv/a" })).toBe("ask outside-workspace");
    expect(
      await judged([policy("srv", "approve", { conditions: [path("inside", "/srv")] })], "notes.write", {
        path: "/srv/a",
      }),
    ).toBe("allow srv");
    expect(
      await judged([policy("srv", "approve", { conditions: [path("inside", "/srv")] })], "notes.write", {
        path: "/srv-evil/a",
      }),
    ).toBe("ask outside-workspace");
  });

  it("that are protected are denied, unless a rule speaks of paths", async () => {
    expect(await judged([all], "notes.read", { path: ".env" })).toBe("deny protected-path");
    expect(await judged([policy("ask", "ask")], "notes.read", { path: ".env" })).toBe("deny protected-path");
    expect(
      await judged([policy("env", "approve", { conditions: [path("equals", ".env")] })], "notes.read", {
        path: ".env",
      }),
    ).toBe("allow env");
  });
});

describe("doubt never widens", () => {
  const slow = { type: "argument" as const, field: "q", operator: "matches" as const, value: "^(?=(a+)+$)b" };
  const input = { q: `${"a".repeat(40)}!` };

  it("an undecided approval does not approve", async () => {
    expect(await judged([policy("slow", "approve", { conditions: [slow] })], "notes.write", input)).toBe(
      "ask ask",
    );
  });

  it("an undecided deny does not let pass", async () => {
    expect(
      await judged(
        [policy("slow", "deny", { conditions: [slow] }), policy("yes", "approve")],
        "notes.read",
        input,
      ),
    ).not.toContain("allow");
  });

  it("an undecided rule sets nothing aside", async () => {
    expect(
      await judged(
        [policy("slow", "ask", { conditions: [slow], priority: 5 }), policy("no", "deny")],
        "notes.read",
        input,
      ),
    ).toBe("deny no");
  });

  it("a word that is not known before it runs is denied as if it could be the one", async () => {
    const push = policy("push", "deny", { conditions: [command("git push")] });
    expect(await judged([push, policy("yes", "approve")], "shell.exec", { command: "git $x" })).not.toContain(
      "allow",
    );
    expect(
      await judged([policy("status", "approve", { conditions: [command("git status")] })], "shell.exec", {
        command: "git $x",
      }),
    ).toBe("ask ask");
  });
});

describe("a policy that cannot be used", () => {
  it.each([
    [policy("p", "allow" as never), /policy "p": action must be approve, ask or deny, not "allow"/],
    [policy("p", "deny", { priority: Number.NaN }), /priority must be a number/],
    [
      policy("p", "deny", { tier: "root" as never }),
      /tier must be one of plugin, project, user, admin, not "root"/,
    ],
  ])("%j is refused with a reason", async (bad, message) => {
    await expect(paperGate({ policies: [bad] })).rejects.toThrow(message);
  });

  it("because its name is used twice names both places", async () => {
    const policies = [
      policy("p", "deny", { source: { file: "a.yaml", line: 2 } }),
      policy("p", "ask", { source: { file: "b.yaml", line: 9 } }),
    ];
    await expect(paperGate({ policies })).rejects.toThrow(
      /b\.yaml:9: policy "p": the name is also used in a\.yaml:2/,
    );
  });
});
