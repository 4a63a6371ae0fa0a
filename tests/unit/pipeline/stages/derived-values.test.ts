import { describe, expect, it } from "vitest";
import type { DerivedValues } from "../../../../src/index.ts";
import { paperGate, tool } from "../../paper-gate.ts";

async function verdictOf(derive: () => DerivedValues | undefined, more: object = {}) {
  const derived = tool({ permission: "execute", capabilities: ["shell:run"], derive });
  const { gate } = await paperGate({ tools: [derived], ...more });
  const { verdict, rule } = await gate.explain({ tool: "x.run", input: {} });
  return `${verdict} ${rule?.name}`;
}

const approving = (...more: object[]) => ({
  policies: [{ name: "yes", tools: "*", action: "approve" }, ...more],
});
const deny = (type: string, operator: string, value: string) => ({
  name: "no",
  tools: "*",
  action: "deny",
  priority: 5,
  conditions: [{ type, operator, value }],
});

describe("what a tool derives from its input", () => {
  it("is judged like a command of the input", async () => {
    expect(await verdictOf(() => ({ command: "cat a.txt" }))).toBe("allow read-inside-workspace");
    expect(await verdictOf(() => ({ command: "cat /etc/hosts" }))).toBe("ask outside-workspace");
    expect(await verdictOf(() => ({ command: "rm a.txt" }))).toBe("ask ask");
    const rule = approving(deny("command", "startsWith", "git push"));
    expect(await verdictOf(() => ({ command: "sudo git push" }), rule)).toBe("deny no");
    expect(await verdictOf(() => ({ command: "git status" }), rule)).toBe("allow yes");
  });

  it("is judged from the folder it names", async () => {
    expect(await verdictOf(() => ({ command: "cat a.txt", cwd: "/etc" }))).toBe("ask outside-workspace");
    expect(await verdictOf(() => ({ command: "cat a.txt", cwd: "/workspace/src" }))).toBe(
      "allow read-inside-workspace",
    );
  });

  it("is judged like a URL of the input", async () => {
    const rule = approving(deny("url", "inside", "evil.test"));
    expect(await verdictOf(() => ({ url: "https://a.evil.test/x" }), rule)).toBe("deny no");
    expect(await verdictOf(() => ({ url: "https://good.test/x" }), rule)).toBe("allow yes");
  });

  it("counts as not understood where it cannot be told, and no policy approves it unseen", async () => {
    const thrown = () => {
      throw new Error("no");
    };
    for (const derive of [() => undefined, thrown]) {
      expect(await verdictOf(derive)).toBe("ask opaque-command");
      expect(await verdictOf(derive, approving())).toBe("ask opaque-command");
    }
  });

  it("asks by default where it is in doubt, and is approved by a policy because its text is fixed", async () => {
    const derive = () => ({ command: "cat a.txt", doubt: "another shell" });
    expect(await verdictOf(derive)).toBe("ask opaque-command");
    expect(await verdictOf(derive, approving())).toBe("allow yes");
    expect(await verdictOf(() => ({ command: "eval a" }))).toBe("ask opaque-command");
    expect(await verdictOf(() => ({ command: "eval a" }), approving())).toBe("allow yes");
    const rule = approving(deny("command", "startsWith", "git push"));
    expect(await verdictOf(() => ({ command: "eval a" }), rule)).toBe("ask no");
  });
});

describe("a tool of a program and a policy that approves by a command", () => {
  const make = {
    name: "make",
    tools: "x.run",
    action: "approve",
    conditions: [{ type: "command", operator: "startsWith", value: "make" }],
  };
  const explain = async (
    more: object,
    policies: object[] = [make],
    input: object = { command: "make all" },
  ) => {
    const { gate } = await paperGate({
      tools: [tool({ permission: "execute", ...more })],
      policies,
    } as never);
    const { verdict, walk } = await gate.explain({ tool: "x.run", input });
    const told = walk.map(({ finding }) => finding).find((finding) => finding.includes("can never approve"));
    return { verdict, told };
  };

  it("go together where the tool states its command: by roles, by derive, by the capability", async () => {
    const derive = () => ({ command: "make all" });
    for (const more of [{ roles: { command: ["command"] } }, { derive }, { capabilities: ["shell:run"] }])
      expect(await explain(more), JSON.stringify(more)).toEqual({ verdict: "allow", told: undefined });
    expect((await explain({ derive: () => ({ command: "rm a.txt" }) })).verdict).toBe("ask");
    expect((await explain({ derive: () => ({ command: "make all && git push" }) })).verdict).toBe("ask");
  });

  it("do not where it only has a field of that name: explain says what to add", async () => {
    expect(await explain({})).toEqual({
      verdict: "ask",
      told: 'policy "make" can never approve x.run by its command, because x.run does not state that a command is all it runs. If it is, add to the tool: roles: { command: ["command"] }.',
    });
    expect((await explain({}, [make], { target: "all" })).told).toContain('roles: { command: ["FIELD"] }');
    const readsArgument = {
      ...make,
      conditions: [{ type: "argument", field: "n", operator: "equals", value: 1 }],
    };
    expect((await explain({}, [readsArgument])).told).toBeUndefined();
  });

  it("leave a tool that derives its command its own risk, where no policy approves the command", async () => {
    const derive = () => ({ command: "ls" });
    expect((await explain({ derive }, [], {})).verdict).toBe("ask");
    expect((await explain({ derive, permission: "read" }, [], {})).verdict).toBe("allow");
    expect((await explain({ derive, permission: "read", capabilities: ["net:fetch"] }, [], {})).verdict).toBe(
      "ask",
    );
    const reading = { ...make, conditions: [{ type: "risk", operator: "equals", value: "read" }] };
    expect((await explain({ derive }, [reading], {})).verdict).toBe("ask");
  });
});
