/** What hooks answer: an agent's form, a call and rules on one side, the bytes and the exit code on the other. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookAnswer, silence } from "../../../../src/agents/agent-hook.ts";
import { openAgent } from "../../../../src/agents/all-agents.ts";
import { codex } from "../../../../src/agents/codex/agent.ts";
import { hasInvisible } from "../../../../src/core/text/visible.ts";
import { readStdin } from "../../../../src/surfaces/hook/process/read-stdin.ts";
import { disguised, hidden, noCall, twice } from "../../../attack/hook-payloads.ts";
import {
  bash,
  createHookWorld,
  type HookOptions,
  type HookWorld,
  rules,
  said,
  serveHooks,
  settle,
} from "./hook-world.ts";

/** `bare`: exit codes alone, for an agent that nobody knows. */
const forms = ["bare", "claude"] as const;
type Form = (typeof forms)[number];
type Ask = (call: unknown, options?: HookOptions) => Promise<HookAnswer>;

const inForm = (world: HookWorld, form: Form): Ask => (form === "bare" ? world.run : world.claude);
const inBothForms = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  forms.flatMap((form) => rows.map((row) => [form, ...row] as const));

function withRules(text: string = rules): HookWorld {
  const world = createHookWorld();
  world.user(text);
  return world;
}

const ofClaude = (answer: object) =>
  `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } })}\n`;

/** Exit code 2, the reason on standard error, and nothing else in the bare form, the same reason in Claude Code's. */
function expectDenied(answer: HookAnswer, form: Form, told: RegExp | string): void {
  const { stdout, stderr, exitCode } = answer;
  const reason = stderr.slice(0, -1);
  const denied = ofClaude({ permissionDecision: "deny", permissionDecisionReason: reason });
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: form === "bare" ? "" : denied,
    stderr: `${reason}\n`,
    exitCode: 2,
  });
  if (typeof told === "string") expect(reason).toBe(told);
  else expect(reason).toMatch(told);
}

describe("a call", () => {
  it.for(
    inBothForms<readonly [string, string, string | RegExp]>([
      [
        "a route blocks",
        "git push --force",
        "Do not use --force; open a pull request.\n(route no-force, FILE:2)",
      ],
      ["a policy denies", "ssh host", /^Servers are not yours\.[\s\S]*\n\(policy never, FILE:16\)$/],
      [
        "needs a person",
        "deploy prod",
        /^A person's approval would be needed: [\s\S]*Deploying needs Ann\.[\s\S]*Nobody could be asked, so the call is denied\./,
      ],
    ]),
  )("in the %s form that %s is denied, with the rule and its place", async ([form, , command, told]) => {
    const world = withRules();
    const { stderr, ...rest } = await inForm(world, form)(bash(command));
    const shown = {
      stdout: rest.stdout.replaceAll(world.userFile, "FILE"),
      stderr: stderr.replaceAll(world.userFile, "FILE"),
      exitCode: rest.exitCode,
    };
    expectDenied(shown, form, told);
  });

  const rewritten = "A rule changes this call; run this instead: git --no-pager log -n 20\n";
  const unheard = { tool_name: "Unheard", tool_input: { a: 1 } };
  const noEvent = { tool_name: "Bash", tool_input: { command: "ls" } };
  const show = { tool_name: "Bash", tool_input: { command: "git show", timeout: 5, description: "x" } };
  const changed = { command: "git --no-pager show -n 20", timeout: 5, description: "x" };
  const approved = { ...silence, stdout: ofClaude({ permissionDecision: "allow" }) };
  it.for<readonly [Form, string, object, HookAnswer]>([
    ["bare", "is approved ends in silence", bash("ls"), silence],
    ["bare", "no rule speaks of ends in silence", bash("echo hello"), silence],
    ["bare", "asks for a tool that nobody knows ends in silence", unheard, silence],
    // An exit code cannot hand a new input over.
    [
      "bare",
      "is rewritten says what to run instead",
      bash("git log"),
      { ...silence, stderr: rewritten, exitCode: 2 },
    ],
    ["claude", "is approved gets an allow and nothing else", bash("ls"), approved],
    ["claude", "names no event is one before it runs", noEvent, approved],
    ["claude", "no rule speaks of is left to the client's own prompts", bash("echo hello"), silence],
    ["claude", "asks for a tool that nobody knows is left to them, too", unheard, silence],
    [
      "claude",
      "is rewritten gets the new input, unapproved",
      bash("git log", { tool_use_id: "t1" }),
      { ...silence, stdout: ofClaude({ updatedInput: { command: "git --no-pager log -n 20" } }) },
    ],
    [
      "claude",
      "is rewritten keeps its other fields",
      show,
      { ...silence, stdout: ofClaude({ updatedInput: changed }) },
    ],
  ])("in the %s form that %s", async ([form, , call, answer]) => {
    const { mustArrive: _, ...bytes } = await inForm(withRules(), form)(call);
    expect(bytes).toEqual(answer);
  });

  it.for(
    inBothForms<readonly [string, RegExp]>([
      ["ask", /A person's approval would be needed/],
      ["deny", /checkDefault: deny/],
    ]),
  )(
    "in the %s form of which no rule speaks is denied where hooks.default is %s",
    async ([form, is, told]) => {
      expectDenied(
        await inForm(withRules(`hooks: {default: ${is}}\n`), form)(bash("echo hello")),
        form,
        told,
      );
    },
  );

  it.for<readonly [number, string, Record<string, string>]>([
    [0, "", { SHELL: "/bin/bash" }],
    [2, "", { SHELL: "/bin/zsh" }],
    [2, "", { SHELL: "/bin/bash", CLAUDE_CODE_SHELL: "/bin/zsh" }],
    [0, "shell: {dialect: bash}\n", { SHELL: "/bin/zsh" }],
    [2, "shell: {dialect: zsh}\n", { SHELL: "/bin/bash" }],
  ])(
    "is read as the agent's shell reads it: %s with the setting %j, else by %j",
    async ([code, set, env]) => {
      const world = withRules(`policies: {yes: {tools: Bash, action: approve}}\n${set}`);
      // Twice: the second time from the rule cache.
      for (let count = 0; count < 2; count++)
        expect((await world.run(bash("printf %d 'a[1]'"), { env })).exitCode).toBe(code);
    },
  );

  it("is judged from where the client stands, by the rules of the project it was started in", async () => {
    const world = createHookWorld();
    world.write("toolgate.yaml", "routes: {r: {tool: Bash, pattern: forbidden, message: No.}}\n");
    const elsewhere = dirname(world.write(`${world.base}/other/toolgate.yaml`, "routes: {}\n"));
    const env = { CLAUDE_PROJECT_DIR: world.project };
    expect((await world.claude(bash("forbidden", { cwd: elsewhere }), { env })).exitCode).toBe(2);
    // Relative paths are those of the folder it stands in: outside of the project.
    world.user(
      "policies: {inside: {tools: Read, action: deny, reason: Mine., conditions: [{type: path, operator: inside, value: src}]}}\n",
    );
    const read = { tool_name: "Read", tool_input: { file_path: "src/a.txt" } };
    expect((await world.claude({ ...read, cwd: world.project }, { env })).exitCode).toBe(2);
    expect((await world.claude({ ...read, cwd: elsewhere }, { env })).exitCode).toBe(0);
  });

  it("is not changed by a policy in shadow mode, and the record says what it would have come to", async () => {
    const world = withRules("policies: {no-ssh: {tools: Bash, action: deny, mode: shadow}}\n");
    // Twice: the second time from the rule cache.
    for (let count = 0; count < 2; count++) expect(await world.run(bash("ssh host"))).toEqual(silence);
    expect(world.spool().map(({ verdict, shadow }) => [verdict, shadow])).toEqual(
      Array(2).fill(["abstain", [{ rule: "no-ssh", verdict: "deny", wording: expect.any(String) }]]),
    );
  });
});

describe("a call that a hook of the configuration looks at", () => {
  const withHook = (script: string, more = "") =>
    withRules(
      `hooks: {commands: {look: {type: PreToolUse, toolPatterns: Bash, command: ${JSON.stringify(script)}${more}}}}\n`,
    );
  const rewrite = `echo '{"modifiedParams":{"command":"git --no-pager log"}}'`;
  it.for<readonly [string, string, string, object]>([
    ["says nothing", "true", "", {}],
    ["adds a note", "echo remember", "", { additionalContext: "remember" }],
    ["rewrites it", rewrite, "", { updatedInput: { command: "git --no-pager log" } }],
    ["allows it", `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`, "", {}],
    [
      "asks",
      `echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`,
      "",
      { permissionDecision: "deny" },
    ],
    ["crashes", "exit 1", "", { permissionDecision: "deny" }],
    ["prints garbage", `echo '{"cancel"'`, "", { permissionDecision: "deny" }],
    ["fails open", "no-such-program", ", failMode: open", {}],
  ])("is answered by what that does: %s", async ([, script, more, expected]) => {
    const {
      hookEventName: _,
      permissionDecisionReason: __,
      ...answer
    } = said(await withHook(script, more).claude(bash("make")));
    expect(answer).toEqual(expected);
  });
});

describe("a call of an agent that names a folder of its own, such as Codex,", () => {
  const rule = "routes:\n  no-make: { tool: Bash, pattern: make, message: Use ninja. }\n";
  const run = async (world: HookWorld, command: string, cwd: string) =>
    world.run(bash(command, { session_id: "s1", tool_use_id: "t1", cwd }), { agent: await openAgent(codex) });

  it("cannot leave the project's rules by running elsewhere", async () => {
    const world = createHookWorld();
    world.write("toolgate.yaml", rule);
    await settle();
    for (const cwd of [world.project, join(world.project, "src"), "/", world.home])
      expect(await run(world, "make", cwd), cwd).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("ninja"),
      });
    expect(world.spool().at(-1)).toMatchObject({ cwd: world.home });
  });

  it("has its paths judged from where the command runs", async () => {
    const world = createHookWorld();
    world.user(
      `policies:\n  no-key: { tools: "*", action: deny, reason: Not that file., conditions: [{ type: path, operator: equals, value: ${world.home}/key }] }\n`,
    );
    expect((await run(world, "cat key", world.home)).exitCode).toBe(2);
    expect((await run(world, "cat key", world.project)).exitCode).toBe(0);
  });

  it("leaves a record where the adapter refuses it, with what it was", async () => {
    const world = createHookWorld();
    expect(await run(world, "bash", world.project)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("An open bash would run whatever is typed into it later"),
    });
    const record = { code: "bad_call", tool: "Bash", input: { command: "bash" }, sessionId: "s1" };
    expect(world.spool()).toEqual([expect.objectContaining(record)]);
  });
});

describe("plan mode", () => {
  const plan = { permission_mode: "plan" };
  const write = (file: string, tool = "Write") => ({
    tool_name: tool,
    tool_input: { file_path: file, content: "# Plan" },
    ...plan,
  });

  it.for(forms)("denies what does more than read, in the %s form", async (form) => {
    const ask = inForm(createHookWorld(), form);
    expectDenied(await ask(bash("rm -rf x", plan)), form, /Plan mode allows reading only\./);
    expect((await ask(bash("ls", plan))).exitCode).toBe(0);
    expect((await ask(bash("rm -rf x", { permission_mode: "default" }))).exitCode).toBe(0);
  });

  const moved = { CLAUDE_CONFIG_DIR: "BASE/claude" };
  it.for<readonly [Form, number, string, string, Record<string, string>]>([
    ["claude", 0, "Write", "HOME/.claude/plans/happy-tree.md", {}],
    ["claude", 0, "Edit", "HOME/.claude/plans/a.md", {}],
    ["claude", 2, "Write", "HOME/.claude/plans/../settings.md", {}],
    ["claude", 2, "Write", "HOME/.claude/plans/a.json", {}],
    ["claude", 2, "Write", "HOME/.claude/plans.md", {}],
    ["claude", 2, "Write", "HOME/.claude/plans-of-others/a.md", {}],
    ["claude", 2, "Write", "HOME/.claude/plans/run.sh", {}],
    ["claude", 2, "Write", "plans/a.md", {}],
    ["claude", 2, "Write", "BASE/project/plans/a.md", {}],
    ["claude", 2, "Write", "HOME/.claude/CLAUDE.md", {}],
    ["claude", 2, "Bash", "HOME/.claude/plans/a.md", {}],
    // The client's folder was moved.
    ["claude", 0, "Write", "BASE/claude/plans/a.md", moved],
    ["claude", 2, "Write", "HOME/.claude/plans/a.md", moved],
    // Nobody says whose plan it is.
    ["bare", 2, "Write", "HOME/.claude/plans/a.md", {}],
  ])(
    "lets Claude Code write its plan, and only there: %s %s %s %s %j",
    async ([form, code, tool, file, env]) => {
      const world = createHookWorld();
      const at = (path: string) => path.replace("HOME", world.home).replace("BASE", world.base);
      const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, at(value)]));
      expect((await inForm(world, form)(write(at(file), tool), { env: given })).exitCode).toBe(code);
    },
  );

  it("leaves rules about the plan file in force", async () => {
    const world = withRules(
      "routes: {no-plan: {tool: Write, pattern: 'plans/.*\\.md$', message: Say it instead.}}\n",
    );
    expectDenied(
      await world.claude(write(`${world.home}/.claude/plans/a.md`)),
      "claude",
      /^Say it instead\.\n/,
    );
  });
});

describe("who is asked about a call of Claude Code", () => {
  const asking = `policies:
  secrets: {tools: '*', action: deny, reason: Secrets stay., conditions: [{type: path, operator: matches, value: '(^|/)\\.env$'}]}
  no-ssh: {tools: Bash, action: deny, reason: No servers., conditions: [{type: command, operator: startsWith, value: ssh}]}
  deploy: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: startsWith, value: deploy}]}
  fine: {tools: Bash, action: approve, conditions: [{type: command, operator: startsWith, value: [ls, cat, python3]}]}
`;
  const promptingModes = ["default", "acceptEdits"];
  const silentModes = ["dontAsk", "auto", "bypassPermissions"];
  const unreadable = [
    "cat $FILE",
    "python3 -c 'print(1)'",
    "find . -exec cat {} +",
    "bash script.sh $X; cat $Y",
    "$CMD host",
  ];
  const sure = ["cat .env", "cat $FILE .env", "ssh $HOST", "python3 -c 1; ssh host", "ls; cat .env"];

  async function ask(world: HookWorld, command: string, mode = "default", attended: "0" | "1" = "1") {
    const env = { CLAUDE_CODE_SESSION_ID: "s1", CLAUDE_CODE_SESSION_ATTENDED: attended };
    const call = bash(command, { session_id: "s1", permission_mode: mode, cwd: world.project });
    const { permissionDecision = "silent", ...rest } = said(await world.claude(call, { env }));
    return {
      decision: permissionDecision,
      reason: rest.permissionDecisionReason,
      context: rest.additionalContext,
    };
  }

  it.for([...promptingModes, ...silentModes])(
    "is the person, by the agent's own prompt, in mode %s and without a terminal",
    async (mode) => {
      const world = withRules(asking);
      for (const attended of ["1", "0"] as const)
        expect(await ask(world, "deploy prod", mode, attended)).toMatchObject({
          decision: "ask",
          reason: `Ann decides. (deploy prod)\n(policy deploy, ${world.userFile}:4)`,
        });
    },
  );

  it("is nobody where the settings want the queue and nobody can wait on it: the call is denied", async () => {
    expect(await ask(withRules(`${asking}hooks: {ask: queue}\n`), "deploy prod")).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("Nobody could be asked, so the call is denied."),
    });
  });

  it("is nobody for a program that only reads the settings of Claude Code: the call is denied", async () => {
    const world = withRules(asking);
    const foreign = { session_id: "s1", sessionId: "s1", permission_mode: "default", cwd: world.project };
    expect((await world.claude(bash("deploy prod", foreign))).exitCode).toBe(2);
  });

  it("is the person although another rule is in doubt about the same line", async () => {
    expect(await ask(withRules(asking), "cat $FILE; deploy prod")).toMatchObject({
      decision: "ask",
      reason: expect.stringContaining("Ann decides."),
    });
  });

  it.for(unreadable)(
    "that cannot be read depends on prompts that are on, and on the settings: %s",
    async (command) => {
      const world = withRules(asking);
      for (const mode of promptingModes) {
        const { decision, context } = await ask(world, command, mode);
        expect([mode, decision]).toEqual([mode, "silent"]);
        expect(context).toMatch(
          /^toolgate: Unclear before it runs: .*Policy "(secrets|no-ssh)" may concern it\./,
        );
        expect((await ask(world, command, mode, "0")).decision).toBe("ask");
      }
      for (const mode of silentModes)
        expect([mode, (await ask(world, command, mode)).decision]).toEqual([mode, "ask"]);
      expect((await ask(withRules(`${asking}hooks: {unsure: ask}\n`), command)).decision).toBe("ask");
      const denying = withRules(`${asking}hooks: {unsure: deny}\n`);
      expect((await ask(denying, command)).decision).toBe("deny");
      expect((await ask(denying, command, "bypassPermissions")).decision).toBe("deny");
    },
  );

  it.for(["ask", "deny"])("that cannot be read becomes what silence becomes: %s", async (otherwise) => {
    const world = withRules(`${asking}hooks: {default: ${otherwise}}\n`);
    expect((await ask(world, "cat $FILE")).decision).toBe(otherwise);
  });

  it("cannot be said by a project's file, nor can that talk anybody out of a stricter setting", async () => {
    const world = withRules(`${asking}hooks: {unsure: deny, ask: queue}\n`);
    world.write("toolgate.yaml", "hooks: {unsure: auto, ask: agent}\n");
    expect((await ask(world, "cat $FILE")).decision).toBe("deny");
    expect((await ask(world, "deploy prod")).decision).toBe("deny");
    const stricter = withRules(asking);
    stricter.write("toolgate.yaml", "hooks: {unsure: deny}\n");
    expect((await ask(stricter, "cat $FILE")).decision).toBe("deny");
  });

  it.for(sure)("never lifts a rule that is sure, in any mode: %s", async (command) => {
    const world = withRules(asking);
    for (const mode of [...promptingModes, "plan", ...silentModes])
      expect([mode, (await ask(world, command, mode)).decision]).toEqual([mode, "deny"]);
  });

  it.for([
    "find ~ | xargs cat",
    "X=approve; toolgate approvals $X abc",
    "cat ~/.local/state/toolgate/token",
    "cp -r ~/.local/state/toolgate /tmp/x",
  ])("never lets toolgate's own files be reached without a question: %s", async (command) => {
    expect((await ask(withRules(asking), command)).decision).toMatch(/^(ask|deny)$/);
  });
});

describe("what cannot be read", () => {
  const deep = `{"tool_name":"Bash","tool_input":{"command":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
  const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
  const mebibyte = 1024 * 1024;
  const ofSize = (bytes: number) => JSON.stringify(bash("x".repeat(bytes - JSON.stringify(bash("")).length)));

  it.for(
    inBothForms<readonly [string, unknown, RegExp]>([
      ["is not JSON", "{", /^Standard input is not valid JSON: .*The call is denied\.$/],
      ["is empty", "", /^Standard input is empty\./],
      ["is blank", " \n ", /^Standard input is empty\./],
      ["is null", "null", /^The call must be a JSON object\./],
      ["is a list", "[]", /^The call must be a JSON object\./],
      ["is a number", "7", /^The call must be a JSON object\./],
      ["names no tool", { tool_input: { command: "ls" } }, /^The call names no tool/],
      ["names a tool by a number", { tool_name: 5, tool_input: {} }, /^The call names no tool/],
      ["names an empty tool", { tool_name: "", tool_input: {} }, /^The call names no tool/],
      ["names a tool at length", { tool_name: "x".repeat(5_000), tool_input: {} }, /There is no tool/],
      ["has no input", { tool_name: "Bash" }, /^The input of Bash is missing/],
      ["has text as input", { tool_name: "Bash", tool_input: "ls" }, /^The input of Bash is missing/],
      ["has a list as input", { tool_name: "Bash", tool_input: ["ls"] }, /^The input of Bash is missing/],
      ["is of an unknown event", bash("ls", { hook_event_name: "Stop" }), /^The event "Stop" is not one/],
      [
        "is of an event that is a number",
        bash("ls", { hook_event_name: 7 }),
        /is not one that toolgate answers/,
      ],
      ["is text", "hello", /^Standard input is not valid JSON: /],
      ["names a tool by a list", { tool_name: ["Bash"], tool_input: {} }, /^The call names no tool/],
      ["was too large", { problem: "Standard input is larger than 9 bytes." }, /^Standard input is larger/],
      ["is deeper than any call", deep, /nested deeper/],
      ["has more fields than any call", { tool_name: "Bash", tool_input: many }, /./],
      ["is larger than any call", ofSize(4 * mebibyte + 1), /larger than 4194304 bytes/],
      ["is much larger than any call", ofSize(5 * mebibyte), /larger than 4194304 bytes/],
      [
        "inherits what it is",
        '{"__proto__":{"tool_name":"Bash","tool_input":{}}}',
        /^The call names no tool/,
      ],
    ]),
  )("in the %s form because it %s is denied with the reason", async ([form, , call, told]) => {
    expectDenied(await inForm(createHookWorld(), form)(call), form, told);
  });

  it.for(noCall)("because it %s is denied in few words", async ([, bytes]) => {
    const world = withRules();
    const file = join(world.base, "stdin");
    writeFileSync(file, bytes);
    const fd = openSync(file, "r");
    const read = await readStdin(fd, { maxBytes: 64 * mebibyte, deadlineMs: 10_000 });
    closeSync(fd);
    const answer = await world.claude(read.ok ? read.text : { problem: read.problem });
    expectDenied(answer, "claude", /^[\s\S]{1,999}$/);
  });

  it.for(inBothForms(disguised))("in the %s form because it %s is denied", async ([form, , call]) => {
    expectDenied(await inForm(withRules(), form)(call), form, /./);
  });

  it.for(inBothForms(["__proto__", "constructor", "toString"].map((name) => [name] as const)))(
    "in the %s form is not a tool because JavaScript knows it: %s",
    async ([form, name]) => {
      const call = `{"tool_name":"${name}","tool_input":{"command":"ls"}}`;
      expect(await inForm(withRules(), form)(call)).toEqual(silence);
    },
  );

  const odd = { ...bash("git push --force"), tool_name: '"hook_event_name":"PostToolUse"' };
  it.for<readonly [string, string, unknown]>([
    [
      "deny",
      "a mark of the byte order before what is denied",
      `\ufeff${JSON.stringify(bash("git push --force"))}`,
    ],
    ["allow", "a mark of the byte order before what is approved", `\ufeff${JSON.stringify(bash("ls"))}`],
    ["deny", "a tool whose name says that the call has ended", odd],
  ])("is not meant by odd bytes: %s for %s", async ([decision, , call]) => {
    expect(said(await withRules().claude(call)).permissionDecision ?? "silent").toBe(decision);
  });

  it("is nothing that is just below the size of the largest call", async () => {
    const call = ofSize(4 * mebibyte - 200);
    expect((await createHookWorld().claude(call)).stderr).not.toContain("larger than 4194304 bytes");
  });

  // Reading an image gives an answer of megabytes. The tool has run: a denial now only confuses the model.
  it.for([1, 5 * mebibyte])("is no reason to speak after a call, whose answer had %s bytes", async (size) => {
    const call = { ...bash("ls"), hook_event_name: "PostToolUse", tool_response: "x".repeat(size) };
    expect(await createHookWorld().claude(call)).toEqual(silence);
  });
});

describe("what is hidden in a call is visible in the answer", () => {
  /** A rule whose message repeats what the call says. */
  const repeating = "routes:\n  repeat: {tool: Bash, pattern: '^no ([^]*)$', message: 'Not: $1'}\n";

  function expectShown(texts: readonly unknown[], where: string): void {
    for (const text of texts) {
      expect(typeof text, where).toBe("string");
      expect(hasInvisible(text as string, { keepNewlines: true }), where).toBe(false);
    }
  }

  it.for(inBothForms(hidden))(
    "in the %s form: %s, in the command that a message repeats",
    async ([form, , text]) => {
      const answer = await inForm(withRules(repeating), form)(bash(`no ${text}`));
      expectDenied(answer, form, /^Not: /);
      expectShown([answer.stderr], text);
      if (form === "claude") expectShown([said(answer).permissionDecisionReason], text);
    },
  );

  it("by a server, too", async () => {
    const served = await serveHooks(withRules(repeating));
    for (const [name, text] of hidden) {
      const answer = await served.claude(bash(`no ${text}`));
      expectDenied(answer, "claude", /^Not: /);
      expectShown([answer.stderr, said(answer).permissionDecisionReason], name);
    }
  });

  it.for(hidden)("%s, in the name of a tool, an event, a mode or a key", async ([, text]) => {
    const world = withRules("hooks: {default: deny}\n");
    const key = JSON.stringify(text);
    for (const payload of [
      { tool_name: text, tool_input: {} },
      { tool_name: text, tool_input: 1 },
      { tool_name: "Bash", tool_input: {}, hook_event_name: text },
      `{${key}:1,${key}:2,"tool_name":"Bash","tool_input":{}}`,
      `{"tool_name":"Bash" ${text}`,
    ]) {
      const answer = await world.claude(payload);
      expectDenied(answer, "claude", /./);
      expectShown([answer.stderr, said(answer).permissionDecisionReason], JSON.stringify(payload));
      expectShown([(await world.run(payload)).stderr], JSON.stringify(payload));
    }
  });

  it("also where nothing is refused: what the model is shown, and what the person is told", async () => {
    const world = withRules(
      "hooks:\n  commands:\n    note: {type: PreToolUse, toolPatterns: Bash, command: printf 'told \\342\\200\\256 end'}\n",
    );
    // What is ignored of a file that nobody trusts is told with its name.
    const file = `${world.base}/a\u202eb\u001bc/toolgate.yaml`;
    world.write(file, "policies:\n  p: {tools: Bash, action: approve}\n");
    const env = { CLAUDE_PROJECT_DIR: dirname(file) };
    const answer = said(await world.claude(bash("tell me"), { env }));
    expectShown([answer.additionalContext, answer.systemMessage], JSON.stringify(answer));
    expect(answer.additionalContext).toContain("\\u{202E} end");
    expect(answer.systemMessage).toContain("a\\u{202E}b\\u{1B}c/toolgate.yaml");
  });

  it("but what runs is handed over as it is, and shown where only a text can hand it over", async () => {
    const world = withRules(
      `routes:\n  r: {tool: Bash, pattern: '^git log$', action: rewrite, rewrite: {command: "git log \\u202e"}}\n`,
    );
    expect(said(await world.claude(bash("git log"))).updatedInput).toEqual({ command: "git log \u202e" });
    expectShown([(await world.run(bash("git log"))).stderr], "bare");
  });
});

describe("a payload that says something twice", () => {
  const allowed = "policies:\n  fine: {tools: [Bash, Read], action: approve}\n";

  it.for(inBothForms(twice))("is refused in the %s form: %s", async ([form, , payload]) => {
    expectDenied(await inForm(withRules(allowed), form)(payload), form, /appears twice/);
  });

  it("is refused by a server, too", async () => {
    const served = await serveHooks(withRules(allowed));
    for (const [, payload] of twice) expectDenied(await served.claude(payload), "claude", /appears twice/);
  });

  it.for<readonly [string, unknown]>([
    ["JSON in a command", bash('echo {"a":1,"a":2}')],
    ["a key in several objects", { ...bash("ls"), a: { x: 1 }, b: { x: 1 }, c: [{ x: 1 }, { x: 1 }] }],
    ["quotes and backslashes", '{"tool_name":"Bash","tool_input":{"command":"\\":\\\\\\":"}}'],
  ])("is not one that only looks like it: %s", async ([, payload]) => {
    expect((await withRules(allowed).claude(payload)).stderr).not.toContain("twice");
  });
});
