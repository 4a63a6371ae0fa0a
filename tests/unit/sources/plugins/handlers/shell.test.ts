import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBubblewrap, sandboxWorks } from "../../../../../src/safe/sandbox/find-bubblewrap.ts";
import { isPrepared } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import { prepareShell } from "../../../../../src/sources/plugins/handlers/shell.ts";
import { isGone } from "../../../../attack/spawn-attacks.ts";
import { placeIn, pluginGate, texts } from "./plugin-gate.ts";

const shell = (command: string, more: object = {}) => ({ type: "shell" as const, command, ...more });

function problems(command: string, more: object = {}, schema = texts("x"), env: Record<string, string> = {}) {
  const prepared = prepareShell(shell(command, more), schema, { ...placeIn("/plugins"), env });
  return isPrepared(prepared) ? [] : prepared.map(({ field, message }) => `${field}: ${message}`);
}

describe("a shell handler", () => {
  it("answers what the command wrote, and nothing else, when it ends well", async () => {
    const { text, call } = await pluginGate([
      { name: "say", inputSchema: texts("x"), handler: shell("printf '%s\\n' {{x}}") },
    ]);
    expect(await text("say", { x: "hello" })).toBe("hello");
    expect(await call("say", { x: "" })).toMatchObject({ value: { exitCode: 0, timedOut: false } });
    expect(await text("say", { x: "" })).toBe("(no output)");
  });

  it("keeps complaints apart from the answer, and tells exit codes", async () => {
    const { text, failure, call } = await pluginGate([
      { name: "warns", inputSchema: texts(), handler: shell("echo out; echo err >&2") },
      { name: "fails", inputSchema: texts(), handler: shell("echo out; echo err >&2; exit 3") },
      { name: "quiet", inputSchema: texts(), handler: shell("exit 1") },
      { name: "dies", inputSchema: texts(), handler: shell("kill -9 $$") },
    ]);
    expect(await text("warns", {})).toBe("out\n[stderr]\nerr");
    const { code, message } = await failure("fails", {});
    expect(code).toBe("tool_failed");
    expect(message).toMatch(/^out\n\[stderr\]\nerr\n\[exit code 3 after \d/);
    expect((await call("fails", {})).result.structured).toMatchObject({ exitCode: 3 });
    expect((await failure("quiet", {})).message).toMatch(/^\(no output\)\n\[exit code 1 /);
    expect((await failure("dies", {})).message).toContain("[killed by SIGKILL");
  });

  it("takes defaults from the schema and drops the words of what is left out at the end", async () => {
    const { text, failure } = await pluginGate([
      {
        name: "list",
        inputSchema: {
          type: "object",
          properties: { n: { type: "integer", default: 2 }, x: { type: "string" }, y: { type: "string" } },
        },
        handler: shell("printf '<%s>' {{n}} {{x}} {{y}}"),
      },
    ]);
    expect(await text("list", {})).toBe("<2>");
    expect(await text("list", { n: 5, x: "a" })).toBe("<5><a>");
    expect(await failure("list", { y: "b" })).toMatchObject({
      code: "invalid_input",
      message: /"x" is missing/,
    });
  });

  it("refuses bad values before anybody is asked", async () => {
    const { failure, records } = await pluginGate(
      [
        { name: "say", inputSchema: texts("x"), handler: shell("echo {{x}}") },
        { name: "opt", inputSchema: texts("x"), handler: shell("ls {{x}}", { allowDash: ["x"] }) },
      ],
      {},
      { policies: [{ name: "ask", tools: "*", action: "ask" }] },
    );
    for (const x of ["-rf", "a\0b", "x".repeat(10_001), "\ud800"])
      expect(await failure("say", { x })).toMatchObject({ code: "invalid_input" });
    expect(await failure("opt", { x: "-rf" })).not.toMatchObject({ code: "invalid_input" });
    expect(records().map(({ stage }) => stage)).toEqual([...Array(4).fill("validate"), "approve"]);
  });

  it("lets an argument be an option only where the author says so", async () => {
    const { text } = await pluginGate([
      { name: "opt", inputSchema: texts("x"), handler: shell("ls {{x}} b.txt", { allowDash: true }) },
    ]);
    expect(await text("opt", { x: "-l" })).toMatch(/^-r.* b\.txt$/);
  });

  it("warns in the ledger, and only there, of values with shell metacharacters", async () => {
    const { text, records } = await pluginGate([
      { name: "say", inputSchema: texts("x"), handler: shell("echo {{x}}") },
    ]);
    expect(await text("say", { x: "a; b" })).toBe("a; b");
    expect(await text("say", { x: "plain" })).toBe("plain");
    const [first, second] = records();
    expect(first?.notes).toEqual([expect.stringMatching(/"x" holds shell metacharacters \(;\)/)]);
    expect(second?.notes).toBeUndefined();
  });

  it("runs in the working folder of the call, or where the author says", async () => {
    const { text, root, folder } = await pluginGate([
      { name: "here", inputSchema: texts(), handler: shell("pwd") },
      { name: "there", inputSchema: texts(), handler: shell("pwd", { cwd: "." }) },
      { name: "deep", inputSchema: texts(), handler: shell("pwd; ./own.sh", { cwd: "scripts" }) },
    ]);
    mkdirSync(join(folder, "scripts"));
    writeFileSync(join(folder, "scripts", "own.sh"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
    expect(await text("here", {})).toBe(root);
    expect(await text("here", {}, { cwd: join(root, "src") })).toBe(join(root, "src"));
    expect(await text("there", {})).toBe(folder);
    expect(await text("deep", {})).toBe(`${join(folder, "scripts")}\nmine`);
  });

  it("says so when the folder is not there", async () => {
    const { failure } = await pluginGate([
      { name: "gone", inputSchema: texts(), handler: shell("pwd", { cwd: "nowhere" }) },
    ]);
    expect(await failure("gone", {})).toMatchObject({ inner: "bad_directory" });
  });

  it("gives the command a short environment, and what the file declares", async () => {
    process.env.PLANTED_SECRET = "canary";
    try {
      const { text } = await pluginGate([{ name: "env", inputSchema: texts(), handler: shell("env") }], {
        env: { MY_KEY: "declared" },
      });
      const shown = await text("env", {});
      expect(shown).toContain("MY_KEY=declared");
      expect(shown).toContain("PATH=");
      expect(shown).not.toContain("canary");
    } finally {
      delete process.env.PLANTED_SECRET;
    }
  });

  it("ends the command with all it started when its time is over", async () => {
    const { failure, root } = await pluginGate([
      {
        name: "slow",
        inputSchema: texts(),
        handler: shell("echo begun; (trap '' TERM; echo $$ > pid; sleep 30) & sleep 30", { timeout: 400 }),
      },
    ]);
    const { message } = await failure("slow", {});
    expect(message).toMatch(/^begun\n\[stopped after .*out of time\]\n\[This tool's commands have 400ms/);
    expect(existsSync(join(root, "pid"))).toBe(true);
    expect(await isGone(Number(readFileSync(join(root, "pid"), "utf8")))).toBe(true);
  });

  it("is tried again as often as an idempotent tool says", async () => {
    const handler = shell("echo x >> tries; [ $(wc -l < tries) -ge 3 ]");
    const { text, failure } = await pluginGate([
      { name: "thrice", inputSchema: texts(), handler, idempotent: true, maxRetries: 3 },
      { name: "once", inputSchema: texts(), handler: shell("echo x >> other; exit 1"), idempotent: true },
      { name: "count", inputSchema: texts(), handler: shell("wc -l < other") },
    ]);
    expect(await text("thrice", {})).toBe("(no output)");
    await failure("once", {});
    expect((await text("count", {})).trim()).toBe("1");
  });
});

describe("what rules see of a shell handler", () => {
  const grep = {
    name: "grep",
    inputSchema: texts("pattern", "directory"),
    handler: shell("grep -rn '{{pattern}}' {{directory}} || true"),
  };
  const explain = async (
    tool: Parameters<typeof pluginGate>[0][number],
    input: object,
    options: object = { policies: [] },
    place = {},
  ) => {
    const { gate } = await pluginGate([tool], place, options);
    const { verdict, rule, message } = await gate.explain({ tool: tool.name, input });
    return { verdict, rule: rule?.name, message };
  };

  it("is the command with its arguments: reading in the workspace needs no question", async () => {
    expect(await explain(grep, { pattern: "x", directory: "src" })).toMatchObject({ verdict: "allow" });
    expect(await explain(grep, { pattern: "$(rm -rf /)", directory: "src" })).toMatchObject({
      verdict: "allow",
    });
    const rm = { name: "rm", inputSchema: texts("x"), handler: shell("rm {{x}}") };
    expect(await explain(rm, { x: "b.txt" })).toMatchObject({ verdict: "ask" });
  });

  it("includes where the arguments lead", async () => {
    expect(await explain(grep, { pattern: "x", directory: "/nowhere" })).toMatchObject({
      verdict: "ask",
      rule: "outside-workspace",
    });
    expect(await explain(grep, { pattern: "x", directory: "/etc" })).toMatchObject({
      verdict: "deny",
      rule: "protected-path",
    });
    expect(await explain(grep, { pattern: "x", directory: ".env" })).toMatchObject({
      verdict: "deny",
      rule: "protected-path",
    });
    const unknown = { name: "u", inputSchema: texts("file"), handler: shell("mytool {{file}}") };
    expect(await explain(unknown, { file: ".env" })).toMatchObject({
      verdict: "deny",
      rule: "protected-path",
    });
  });

  it("starts in the folder that the author fixed", async () => {
    const here = { name: "c", inputSchema: texts("x"), handler: shell("cat {{x}}", { cwd: "." }) };
    expect(await explain(here, { x: "b.txt" })).toMatchObject({ verdict: "ask", rule: "outside-workspace" });
  });

  it("can be stopped by rules about commands", async () => {
    const push = { name: "push", inputSchema: texts("branch"), handler: shell("git push origin {{branch}}") };
    const policies = [
      { name: "yes", tools: "*", action: "approve" as const },
      {
        name: "no push",
        tools: "*",
        action: "deny" as const,
        priority: 9,
        conditions: [{ type: "command", operator: "startsWith", value: "git push" }],
      },
    ];
    expect(await explain(push, { branch: "main" }, { policies })).toMatchObject({
      verdict: "deny",
      rule: "no push",
    });
    expect(await explain(grep, { pattern: "git push", directory: "src" }, { policies })).toMatchObject({
      verdict: "allow",
    });
  });

  it("is approved by the tool's name also where nobody can read it, but not by default", async () => {
    const odd = { name: "odd", inputSchema: texts("x"), handler: shell('"$HOME"/bin/tool {{x}}') };
    expect(await explain(odd, { x: "a" })).toMatchObject({ verdict: "ask" });
    expect(
      await explain(odd, { x: "a" }, { policies: [{ name: "mine", tools: "odd", action: "approve" }] }),
    ).toMatchObject({ verdict: "allow", rule: "mine" });
    const bash = { name: "b", inputSchema: texts(), handler: shell("((reboot))") };
    expect(await explain(bash, {})).toMatchObject({ verdict: "ask" });
  });

  it("always asks for a plugin that nobody has trusted, unless a policy names it", async () => {
    const input = { pattern: "x", directory: "src" };
    expect(await explain(grep, input, { policies: [] }, { trusted: false })).toMatchObject({
      verdict: "ask",
    });
  });

  it("lets plan mode read and nothing more", async () => {
    const rm = { name: "rm", inputSchema: texts("x"), handler: shell("rm {{x}}") };
    const { text, call } = await pluginGate([grep, rm], {}, { policies: [] });
    expect(await text("grep", { pattern: "needle", directory: "src" }, { mode: "plan" })).toContain(
      "a.txt:2:two needle",
    );
    expect(await call("rm", { x: "b.txt" }, { mode: "plan" })).toMatchObject({
      ok: false,
      error: { code: "plan_mode" },
    });
  });
});

describe("when it is loaded, a shell handler", () => {
  it("is refused where a value would be code, a name, a target or a variable", () => {
    for (const command of [
      "sh -c 'ls {{x}}'",
      "eval {{x}}",
      "awk '{print {{x}}}' f",
      "sed s/{{x}}/b/ f",
      "perl -e '{{x}}'",
      "jq '.{{x}}' f",
      "python3 -c 'print({{x}})'",
      "ssh host {{x}}",
      "ls | xargs sh -c 'echo {{x}}'",
      "{{x}} a",
      "ls > {{x}}",
      "A={{x}} ls",
      "echo $(({{x}}))",
      "cat <<E\n{{x}}\nE",
      "echo `ls {{x}}`",
      "echo $(ls {{x}})",
      "echo \\{{x}}",
    ])
      expect(problems(command), command).toEqual([expect.stringMatching(/^command: /)]);
  });

  it("says which field is wrong and why", () => {
    expect(problems("ls {{y}}")).toEqual([expect.stringMatching(/^command: \{\{y\}\} is not a property/)]);
    expect(problems("ls {{x}}", { timeout: 0 })).toEqual([
      expect.stringMatching(/^timeout: .*from 1 to 600000, not 0/),
    ]);
    expect(problems("ls {{x}}", { timeout: 1.5 })).toHaveLength(1);
    expect(problems("ls {{x}}", { cwd: "a/{{x}}" })).toEqual([expect.stringMatching(/^cwd: .*placeholder/)]);
    expect(problems("ls {{x}}", { cwd: "~root" })).toEqual([expect.stringMatching(/^cwd: .*other users/)]);
    expect(problems("ls {{x}}", { allowDash: ["z"] })).toEqual([expect.stringMatching(/^allowDash: .*"z"/)]);
    expect(problems("ls {{x}}", { allowDash: "x" })).toEqual([expect.stringMatching(/^allowDash: /)]);
    expect(problems("ls {{x}}", {}, texts("x"), { TOOLGATE_TOKEN: "t" })).toEqual([
      expect.stringMatching(/^env: .*reserved/),
    ]);
    const list = { type: "object", properties: { x: { type: "array" } } };
    expect(problems("ls {{x}}", {}, list)).toEqual([expect.stringMatching(/list or an object/)]);
    expect(problems(7 as unknown as string)).toEqual(["command: The command must be a text."]);
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
          { name: "write", inputSchema: texts(), handler: shell("echo hi > new.txt; cat new.txt") },
          { name: "script", inputSchema: texts(), handler: shell("./own.sh; echo no > made", { cwd: "." }) },
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
