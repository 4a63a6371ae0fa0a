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

async function expectJudged(expected: string, ...call: Parameters<typeof judged>): Promise<void> {
  expect(await judged(...call)).toBe(expected);
}

const about =
  (action: Policy["action"]) =>
  (name: string, more: Partial<Policy> = {}): Policy => ({ name, tools: "*", action, ...more });
const approve = about("approve");
const ask = about("ask");
const deny = about("deny");
const path = (operator: "inside" | "equals" | "contains", value: string) => ({
  type: "path" as const,
  operator,
  value,
});
const command = (value: string) => ({ type: "command" as const, operator: "startsWith" as const, value });

const when = (...conditions: NonNullable<Policy["conditions"]>) => ({ conditions });
const running = (command: string) => ["shell.exec", { command }] as const;
const srv = () => approve("srv", when(path("inside", "/srv")));

describe("priority and tiers", () => {
  it("lets the highest priority decide", async () => {
    await expectJudged("allow high", [deny("low"), approve("high", { priority: 1 })], "notes.write");
    await expectJudged("ask high", [approve("low"), ask("high", { priority: 0.5 })], "notes.write");
    await expectJudged("deny zero", [deny("zero"), approve("minus", { priority: -1 })], "notes.write");
  });

  it("lets the stricter win at equal priority, in any order", async () => {
    const all = [approve("a"), ask("b"), deny("c")];
    for (const order of ["012", "210", "102"]) {
      const given = [...order].map((index) => all[Number(index)] as Policy);
      await expectJudged("deny c", given, "notes.write");
    }
    await expectJudged("ask b", all.slice(0, 2), "notes.write");
  });

  it("lets a less trusted rule narrow", async () => {
    await expectJudged(
      "deny plugin",
      [approve("admin", { tier: "admin", priority: 9 }), deny("plugin", { tier: "plugin", priority: 10 })],
      "notes.read",
    );
  });

  it("lets a more trusted rule of higher priority lift a less trusted deny", async () => {
    await expectJudged(
      "allow user",
      [deny("plugin", { tier: "plugin" }), approve("user", { priority: 1 })],
      "notes.write",
    );
  });

  it("lets a plugin's approval lift no default", async () => {
    const plugin = approve("plugin", { tier: "plugin", priority: 100 });
    await expectJudged("ask ask", [plugin], "notes.write");
    await expectJudged("ask ask", [plugin], "web.get");
    await expectJudged("ask outside-workspace", [plugin], "notes.read", { path: "/etc/hosts" });
    expect((await judged([plugin], "notes.read")).split(" ")[0]).toBe("allow");
  });

  it("does not let a plugin's approval stand in the way of a person's own", async () => {
    await expectJudged(
      "allow mine",
      [approve("plugin", { tier: "plugin", priority: 9 }), approve("mine")],
      "notes.write",
    );
  });

  it("applies a rule in its modes only", async () => {
    const planOnly = deny("plan", { modes: ["plan"] });
    await expectJudged("deny plan", [planOnly], "notes.read", {}, { mode: "plan" });
    expect((await judged([planOnly], "notes.read")).split(" ")[0]).toBe("allow");
  });
});

it.each([
  ["reading inside the workspace passes", "notes.read", { path: "src/a.ts" }, "allow read-inside-workspace"],
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
])("where no policy speaks %s", async (_, id, input, expected) => {
  await expectJudged(expected, [], id, input);
});

describe("the parts of a shell line", () => {
  const git = approve("git", when(command("git")));

  it("are all judged: one bad command decides", async () => {
    await expectJudged("allow git", [git], ...running("git status"));
    await expectJudged("ask ask", [git], ...running("git status && node x"));
    await expectJudged("deny rm", [git, deny("rm", when(command("rm")))], ...running("git status && rm a"));
  });

  it("include redirects, which a rule for the command does not cover", async () => {
    await expectJudged("ask ask", [git], ...running("git log > out.txt"));
    const writes = approve("out", when(path("inside", "out")));
    await expectJudged("allow git", [git, writes], ...running("git log > out/log.txt"));
    await expectJudged("ask outside-workspace", [git, writes], ...running("git log > /etc/x"));
  });

  it("that are not understood are approved only by a rule about risk", async () => {
    await expectJudged("ask opaque-command", [approve("all")], ...running("eval x"));
    const risky = approve("risky", { conditions: [{ type: "risk", operator: "equals", value: "opaque" }] });
    await expectJudged("allow risky", [risky], ...running("eval x"));
    await expectJudged("deny no", [deny("no")], ...running("eval x"));
  });

  it("that go beyond a program's plain use need a rule that says so", async () => {
    const find = approve("find", when(command("find")));
    await expectJudged("allow find", [find], ...running("find src"));
    await expectJudged("ask ask", [find], ...running("find src -delete"));
    const exact = approve("exact", {
      conditions: [{ type: "command", operator: "equals", value: "find src -delete" }],
    });
    await expectJudged("allow exact", [exact], ...running("find src -delete"));
  });

  it("inside a wrapper are denied as without, but approved only in plain ones", async () => {
    await expectJudged("deny no", [deny("no", when(command("git")))], ...running("sudo git push"));
    await expectJudged("ask ask", [git], ...running("sudo git status"));
    await expectJudged("allow git", [git], ...running("timeout git status"));
  });

  it("are counted only so far: a line of very many parts is not understood", async () => {
    const line = Array.from({ length: 300 }, () => "git status").join(" && ");
    await expectJudged("ask opaque-command", [git], ...running(line));
  });
});

describe("paths", () => {
  const all = approve("all");

  it("outside the workspace ask, unless a rule speaks of paths", async () => {
    await expectJudged("ask outside-workspace", [all], "notes.write", { path: "/srv/a" });
    await expectJudged("allow srv", [srv()], "notes.write", { path: "/srv/a" });
    await expectJudged("ask outside-workspace", [srv()], "notes.write", { path: "/srv-evil/a" });
  });

  it("that are protected are denied, unless a rule speaks of paths", async () => {
    await expectJudged("deny protected-path", [all], "notes.read", { path: ".env" });
    await expectJudged("deny protected-path", [ask("ask")], "notes.read", { path: ".env" });
    await expectJudged("allow env", [approve("env", when(path("equals", ".env")))], "notes.read", {
      path: ".env",
    });
  });
});

describe("doubt never widens", () => {
  const slow = { type: "argument" as const, field: "q", operator: "matches" as const, value: "^(?=(a+)+$)b" };
  const input = { q: `${"a".repeat(40)}!` };

  it("an undecided approval does not approve", async () => {
    await expectJudged("ask ask", [approve("slow", { conditions: [slow] })], "notes.write", input);
  });

  it("an undecided deny does not let pass", async () => {
    expect(
      await judged([deny("slow", { conditions: [slow] }), approve("yes")], "notes.read", input),
    ).not.toContain("allow");
  });

  it("an undecided rule sets nothing aside", async () => {
    await expectJudged(
      "deny no",
      [ask("slow", { conditions: [slow], priority: 5 }), deny("no")],
      "notes.read",
      input,
    );
  });

  it("a word that is not known before it runs is denied as if it could be the one", async () => {
    const push = deny("push", when(command("git push")));
    expect(await judged([push, approve("yes")], ...running("git $x"))).not.toContain("allow");
    await expectJudged("ask ask", [approve("status", when(command("git status")))], ...running("git $x"));
  });
});

describe("a policy that cannot be used", () => {
  it.each([
    [about("allow" as never)("p"), /policy "p": action must be approve, ask or deny, not "allow"/],
    [deny("p", { priority: Number.NaN }), /priority must be a number/],
    [deny("p", { tier: "root" as never }), /tier must be one of plugin, project, user, admin, not "root"/],
  ])("%j is refused with a reason", async (bad, message) => {
    await expect(paperGate({ policies: [bad] })).rejects.toThrow(message);
  });

  it("because its name is used twice names both places", async () => {
    const policies = [
      deny("p", { source: { file: "a.yaml", line: 2 } }),
      ask("p", { source: { file: "b.yaml", line: 9 } }),
    ];
    await expect(paperGate({ policies })).rejects.toThrow(
      /b\.yaml:9: policy "p": the name is also used in a\.yaml:2/,
    );
  });
});
