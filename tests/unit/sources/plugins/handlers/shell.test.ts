import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBubblewrap, sandboxWorks } from "../../../../../src/safe/sandbox/find-bubblewrap.ts";
import { isPrepared } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import { prepareShell } from "../../../../../src/sources/plugins/handlers/shell.ts";
import { rule } from "../../rule.ts";
import { because, stopped } from "../../stopped.ts";
import { placeIn, pluginGate, texts } from "./plugin-gate.ts";

const shell = (command: string, more: object = {}) => ({ type: "shell" as const, command, ...more });
/** A tool whose arguments are texts. */
const tool = (name: string, command: string, args: string[] = [], more: object = {}) => ({
  name,
  inputSchema: texts(...args),
  handler: shell(command, more),
});

function problems(command: string, more: object = {}, schema = texts("x"), env: Record<string, string> = {}) {
  const prepared = prepareShell(shell(command, more), schema, { ...placeIn("/plugins"), env });
  return isPrepared(prepared) ? [] : prepared.map(({ field, message }) => `${field}: ${message}`);
}

describe("a shell handler", () => {
  it("answers what the command wrote, and nothing else, when it ends well", async () => {
    const { text, data } = await pluginGate([tool("say", "printf '%s\\n' {{x}}", ["x"])]);
    expect(await text("say", { x: "hello" })).toBe("hello");
    expect(await data("say", { x: "" })).toMatchObject({ exitCode: 0, timedOut: false });
    expect(await text("say", { x: "" })).toBe("(no output)");
  });

  it("keeps complaints apart from the answer, and tells exit codes", async () => {
    const { text, failure, call } = await pluginGate([
      tool("warns", "echo out; echo err >&2"),
      tool("fails", "echo out; echo err >&2; exit 3"),
      tool("quiet", "exit 1"),
      tool("dies", "kill -9 $$"),
    ]);
    expect(await text("warns", {})).toBe("out\n[stderr]\nerr");
    const failed = because("tool_failed", /^out\n\[stderr\]\nerr\n\[exit code 3 after \d/);
    expect(await failure("fails", {})).toMatchObject(failed);
    expect((await call("fails", {})).result.structured).toMatchObject({ exitCode: 3 });
    expect((await failure("quiet", {})).message).toMatch(/^\(no output\)\n\[exit code 1 /);
    expect((await failure("dies", {})).message).toContain("[killed by SIGKILL");
  });

  it("takes defaults from the schema and drops the words of what is left out at the end", async () => {
    const text = { type: "string" };
    const properties = { n: { type: "integer", default: 2 }, x: text, y: text };
    const list = {
      ...tool("list", "printf '<%s>' {{n}} {{x}} {{y}}"),
      inputSchema: { type: "object", properties },
    };
    const { say } = await pluginGate([list]);
    expect(await say("list", {})).toBe("<2>");
    expect(await say("list", { n: 5, x: "a" })).toBe("<5><a>");
    expect(await say("list", { y: "b" })).toMatch(/^invalid_input .*"x" is missing/s);
  });

  it("refuses bad values before anybody is asked", async () => {
    const tools = [tool("say", "echo {{x}}", ["x"]), tool("opt", "ls {{x}}", ["x"], { allowDash: ["x"] })];
    const { failure, records } = await pluginGate(tools, {}, { policies: [rule("ask", "*")] });
    for (const x of ["-rf", "a\0b", "x".repeat(10_001), "\ud800"])
      expect(await failure("say", { x })).toMatchObject({ code: "invalid_input" });
    expect(await failure("opt", { x: "-rf" })).not.toMatchObject({ code: "invalid_input" });
    expect(records().map(({ stage }) => stage)).toEqual([...Array(4).fill("validate"), "approve"]);
  });

  it("lets an argument be an option only where the author says so", async () => {
    const { text } = await pluginGate([tool("opt", "ls {{x}} b.txt", ["x"], { allowDash: true })]);
    expect(await text("opt", { x: "-l" })).toMatch(/^-r.* b\.txt$/);
  });

  it("warns in the ledger, and only there, of values with shell metacharacters", async () => {
    const { text, records } = await pluginGate([tool("say", "echo {{x}}", ["x"])]);
    for (const x of ["a; b", "plain", "$(touch PWNED)"]) expect(await text("say", { x })).toBe(x);
    const warning = (signs: string) => [expect.stringContaining(`"x" holds shell metacharacters (${signs})`)];
    expect(records().map(({ notes }) => notes)).toEqual([warning(";"), undefined, warning("$ ( )")]);
  });

  it("runs in the working folder of the call, or where the author says, if that is there", async () => {
    const { text, failure, root, folder } = await pluginGate([
      tool("here", "pwd"),
      tool("there", "pwd", [], { cwd: "." }),
      tool("deep", "pwd; ./own.sh", [], { cwd: "scripts" }),
      tool("gone", "pwd", [], { cwd: "nowhere" }),
    ]);
    mkdirSync(join(folder, "scripts"));
    writeFileSync(join(folder, "scripts", "own.sh"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
    expect(await text("here", {})).toBe(root);
    expect(await text("here", {}, { cwd: join(root, "src") })).toBe(join(root, "src"));
    expect(await text("there", {})).toBe(folder);
    expect(await text("deep", {})).toBe(`${join(folder, "scripts")}\nmine`);
    expect(await failure("gone", {})).toMatchObject({ inner: "bad_directory" });
  });

  it("gives the command a short environment, and what the file declares", async () => {
    process.env.PLANTED_SECRET = "canary";
    try {
      const { text } = await pluginGate([tool("env", "env")], { env: { MY_KEY: "declared" } });
      const shown = await text("env", {});
      expect(shown).toContain("MY_KEY=declared");
      expect(shown).toContain("PATH=");
      expect(shown).not.toContain("canary");
    } finally {
      delete process.env.PLANTED_SECRET;
    }
  });

  it("is tried again as often as an idempotent tool says", async () => {
    const { text, failure } = await pluginGate([
      { ...tool("thrice", "echo x >> tries; [ $(wc -l < tries) -ge 3 ]"), idempotent: true, maxRetries: 3 },
      { ...tool("once", "echo x >> other; exit 1"), idempotent: true },
      tool("count", "wc -l < other"),
    ]);
    expect(await text("thrice", {})).toBe("(no output)");
    await failure("once", {});
    expect((await text("count", {})).trim()).toBe("1");
  });
});

describe("what rules see of a shell handler", () => {
  const grep = tool("grep", "grep -rn '{{pattern}}' {{directory}} || true", ["pattern", "directory"]);
  const rm = tool("rm", "rm {{x}}", ["x"]);
  const push = tool("push", "git push origin {{branch}}", ["branch"]);
  const odd = tool("odd", '"$HOME"/bin/tool {{x}}', ["x"]);
  const noPush = rule("deny", "*", [["command", "startsWith", "git push"]], { name: "no push", priority: 9 });
  const all = [rule("approve", "*", [], { name: "yes" }), noPush];
  const mine = [rule("approve", "odd", [], { name: "mine" })];

  it.for([
    ["allows reading in the workspace", grep, { pattern: "x", directory: "src" }, "allow"],
    ["allows any text as an argument", grep, { pattern: "$(rm -rf /)", directory: "src" }, "allow"],
    ["asks about what changes files", rm, { x: "b.txt" }, "ask"],
    ["asks about what lies outside", grep, { pattern: "x", directory: "/nowhere" }, "ask outside-workspace"],
    ["denies the system's secrets", grep, { pattern: "x", directory: "/etc" }, "deny protected-path"],
    ["denies protected files", grep, { pattern: "x", directory: ".env" }, "deny protected-path"],
    [
      "denies them to any program",
      tool("u", "mytool {{file}}", ["file"]),
      { file: ".env" },
      "deny protected-path",
    ],
    [
      "starts in the fixed folder",
      tool("c", "cat {{x}}", ["x"], { cwd: "." }),
      { x: "b.txt" },
      "ask outside-workspace",
    ],
    ["obeys rules about commands", push, { branch: "main" }, "deny no push", all],
    ["takes no argument for a command", grep, { pattern: "git push", directory: "src" }, "allow", all],
    ["asks about what nobody can read", odd, { x: "a" }, "ask"],
    ["approves it by the tool's name", odd, { x: "a" }, "allow mine", mine],
    ["asks about what only bash understands", tool("b", "((reboot))"), {}, "ask"],
  ] as const)("%s", async ([, one, input, expected, policies = []]) => {
    const { gate } = await pluginGate([one], {}, { policies: [...policies] });
    const { verdict, rule: by } = await gate.explain({ tool: one.name, input });
    expect(`${verdict} ${by?.name}`).toMatch(new RegExp(`^${expected}`));
  });

  it("always asks for a plugin that nobody has trusted, unless a policy names it", async () => {
    const { gate } = await pluginGate([grep], { trusted: false }, { policies: [] });
    const input = { pattern: "x", directory: "src" };
    expect(await gate.explain({ tool: "grep", input })).toMatchObject({ verdict: "ask" });
  });

  it("lets plan mode read and nothing more", async () => {
    const { text, call } = await pluginGate([grep, rm], {}, { policies: [] });
    const found = await text("grep", { pattern: "needle", directory: "src" }, { mode: "plan" });
    expect(found).toContain("a.txt:2:two needle");
    expect(await call("rm", { x: "b.txt" }, { mode: "plan" })).toMatchObject(stopped("plan_mode"));
  });
});

describe("when it is loaded, a shell handler", () => {
  const list = { type: "object", properties: { x: { type: "array" } } };
  it.for([
    ["a value that would be code", problems("eval {{x}}"), /^command: /],
    ["{{y}} is not a property", problems("ls {{y}}"), /^command: \{\{y\}\} is not a property/],
    ["no time", problems("ls {{x}}", { timeout: 0 }), /^timeout: .*from 1 to 600000, not 0/],
    ["half a millisecond", problems("ls {{x}}", { timeout: 1.5 }), /^timeout: /],
    ["a placeholder in the folder", problems("ls {{x}}", { cwd: "a/{{x}}" }), /^cwd: .*placeholder/],
    ["another user's folder", problems("ls {{x}}", { cwd: "~root" }), /^cwd: .*other users/],
    ["an unknown name for dashes", problems("ls {{x}}", { allowDash: ["z"] }), /^allowDash: .*"z"/],
    ["a text for dashes", problems("ls {{x}}", { allowDash: "x" }), /^allowDash: /],
    ["our own variables", problems("ls", {}, texts(), { TOOLGATE_TOKEN: "t" }), /^env: .*reserved/],
    ["a list", problems("ls {{x}}", {}, list), /list or an object/],
    ["a number", problems(7 as unknown as string), /^command: The command must be a text\.$/],
  ] as const)("is refused for %s, with the field that is wrong", ([, found, message]) => {
    expect(found).toEqual([expect.stringMatching(message)]);
  });
});

const bwrap = findBubblewrap([]);
const works = bwrap !== undefined && (await sandboxWorks(bwrap)).works;
const title = works ? "" : " (skipped: bubblewrap is missing or cannot make namespaces here)";

describe("a shell handler that must run in the sandbox", () => {
  it.skipIf(!works && process.env.TOOLGATE_CI !== "full")(
    `sees its workspace and the scripts beside the plugin, and writes only in the workspace${title}`,
    async () => {
      const { text, failure, folder, root } = await pluginGate(
        [
          tool("write", "echo hi > new.txt; cat new.txt"),
          tool("script", "./own.sh; echo no > made", [], { cwd: "." }),
        ],
        { sandbox: () => ({ mode: "required", network: false }) },
      );
      writeFileSync(join(folder, "own.sh"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
      expect(await text("write", {})).toBe("hi");
      expect(existsSync(join(root, "new.txt"))).toBe(true);
      expect((await failure("script", {})).message).toMatch(/^mine\n\[stderr\]\n.*Read-only file system/);
      expect(existsSync(join(folder, "made"))).toBe(false);
    },
  );
});
