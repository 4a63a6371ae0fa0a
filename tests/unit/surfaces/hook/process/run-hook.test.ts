import { describe, expect, it } from "vitest";
import { bash, createHookWorld, type HookWorld, rules, said } from "../hook-world.ts";

function withRules(): HookWorld {
  const world = createHookWorld();
  world.user(rules);
  return world;
}

describe("a call in the bare form", () => {
  it("that a route blocks ends with 2 and the message, the rule and its place on standard error", async () => {
    const world = withRules();
    expect(await world.run(bash("git push --force"))).toEqual({
      stdout: "",
      stderr: `Do not use --force; open a pull request.\n(route no-force, ${world.userFile}:2)\n`,
      exitCode: 2,
    });
  });

  it("that a policy denies ends with 2, the reason and a hint", async () => {
    const world = withRules();
    const { stdout, stderr, exitCode } = await world.run(bash("ssh host"));
    expect([stdout, exitCode]).toEqual(["", 2]);
    expect(stderr).toContain("Servers are not yours.");
    expect(stderr).toContain(`(policy never, ${world.userFile}:16)\n`);
  });

  it("that is approved, or about which no rule speaks, ends with 0 in silence", async () => {
    const world = withRules();
    const silence = { stdout: "", stderr: "", exitCode: 0 };
    expect(await world.run(bash("ls"))).toEqual(silence);
    expect(await world.run(bash("echo hello"))).toEqual(silence);
    expect(await world.run({ tool_name: "Unheard", tool_input: { a: 1 } })).toEqual(silence);
  });

  it("that a rule rewrites ends with 2 and what to run instead, because an exit code cannot hand it over", async () => {
    expect(await withRules().run(bash("git log"))).toEqual({
      stdout: "",
      stderr: "A rule changes this call; run this instead: git --no-pager log -n 20\n",
      exitCode: 2,
    });
  });

  it("that needs a person ends with 2 and says so", async () => {
    const { stdout, stderr, exitCode } = await withRules().run(bash("deploy prod"));
    expect([stdout, exitCode]).toEqual(["", 2]);
    expect(stderr).toContain("A person's approval would be needed: ");
    expect(stderr).toContain("Deploying needs Ann.");
    expect(stderr).toContain("Nobody could be asked, so the call is denied.");
  });

  it("is read as the agent's shell reads it: by the configuration, else by the environment", async () => {
    const approve = "policies: {yes: {tools: Bash, action: approve}}\n";
    const exitCode = async (config: string, env: Record<string, string>) => {
      const world = createHookWorld();
      world.user(approve + config);
      const answers = [];
      // Twice: the second time from the rule cache.
      for (let i = 0; i < 2; i++)
        answers.push((await world.run(bash("printf %d 'a[1]'"), { env: { ...world.env, ...env } })).exitCode);
      expect(answers[0]).toBe(answers[1]);
      return answers[0];
    };
    expect(await exitCode("", { SHELL: "/bin/bash" })).toBe(0);
    expect(await exitCode("", { SHELL: "/bin/zsh" })).toBe(2);
    expect(await exitCode("", { SHELL: "/bin/bash", CLAUDE_CODE_SHELL: "/bin/zsh" })).toBe(2);
    expect(await exitCode("shell: {dialect: bash}\n", { SHELL: "/bin/zsh" })).toBe(0);
    expect(await exitCode("shell: {dialect: zsh}\n", { SHELL: "/bin/bash" })).toBe(2);
  });

  it.each([
    ["ask", "A person's approval would be needed"],
    ["deny", "checkDefault: deny"],
  ])("about which no rule speaks is denied where hooks.default is %s", async (otherwise, told) => {
    const world = createHookWorld();
    world.user(`hooks: {default: ${otherwise}}\n`);
    const { stderr, exitCode } = await world.run(bash("echo hello"));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
  });
});

describe("a call of Claude Code", () => {
  it("that is denied gets the JSON, the same reason on standard error, and exit code 2", async () => {
    const world = withRules();
    const answer = await world.claude(bash("git push --force"));
    const reason = `Do not use --force; open a pull request.\n(route no-force, ${world.userFile}:2)`;
    expect(said(answer)).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    });
    expect([answer.stderr, answer.exitCode]).toEqual([`${reason}\n`, 2]);
  });

  it("that is approved gets an allow and nothing else", async () => {
    const answer = await withRules().claude(bash("ls"));
    expect(said(answer)).toEqual({ hookEventName: "PreToolUse", permissionDecision: "allow" });
    expect([answer.stderr, answer.exitCode]).toEqual(["", 0]);
  });

  it("about which no rule speaks gets silence, so that the client's own prompts apply", async () => {
    expect(await withRules().claude(bash("echo hello"))).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("that a rule rewrites gets the whole new input, unapproved", async () => {
    const answer = await withRules().claude(bash("git log", { tool_use_id: "t1" }));
    expect(said(answer)).toEqual({
      hookEventName: "PreToolUse",
      updatedInput: { command: "git --no-pager log -n 20" },
    });
    expect(answer.exitCode).toBe(0);
    const more = { tool_name: "Bash", tool_input: { command: "git show", timeout: 5, description: "x" } };
    expect(said(await withRules().claude(more)).updatedInput).toEqual({
      command: "git --no-pager show -n 20",
      timeout: 5,
      description: "x",
    });
  });

  it("that needs a person is denied, never asked by the client", async () => {
    const answer = await withRules().claude(bash("deploy prod"));
    expect(said(answer)).toMatchObject({ permissionDecision: "deny" });
    expect(said(answer).permissionDecisionReason).toContain("Deploying needs Ann.");
    expect(answer.exitCode).toBe(2);
  });

  it("is judged from the folder in which the client stands, by the rules of the project it was started in", async () => {
    const world = createHookWorld();
    world.write("toolgate.yaml", "routes: {r: {tool: Bash, pattern: forbidden, message: No.}}\n");
    const elsewhere = world
      .write(`${world.base}/other/toolgate.yaml`, "routes: {}\n")
      .replace("/toolgate.yaml", "");
    const answer = await world.claude(bash("forbidden", { cwd: elsewhere }), {
      env: { CLAUDE_PROJECT_DIR: world.project },
      cwd: world.project,
    });
    expect(answer.exitCode).toBe(2);
    // Relative paths are those of the folder it stands in: outside of the project.
    world.user(
      "policies: {inside: {tools: Read, action: deny, reason: Mine., conditions: [{type: path, operator: inside, value: src}]}}\n",
    );
    const read = { tool_name: "Read", tool_input: { file_path: "src/a.txt" } };
    const env = { CLAUDE_PROJECT_DIR: world.project };
    expect((await world.claude({ ...read, cwd: world.project }, { env })).exitCode).toBe(2);
    expect((await world.claude({ ...read, cwd: elsewhere }, { env })).exitCode).toBe(0);
  });
});

describe("plan mode", () => {
  const plan = { permission_mode: "plan" };
  const write = (file: string, more: object = plan) => ({
    tool_name: "Write",
    tool_input: { file_path: file, content: "# Plan" },
    ...more,
  });

  it("denies what does more than read, in both forms", async () => {
    const world = createHookWorld();
    for (const run of [world.run, world.claude]) {
      const { stderr, exitCode } = await run(bash("rm -rf x", plan));
      expect(exitCode).toBe(2);
      expect(stderr).toContain("Plan mode allows reading only.");
      expect((await run(bash("ls", plan))).exitCode).toBe(0);
      expect((await run(bash("rm -rf x", { permission_mode: "default" }))).exitCode).toBe(0);
    }
  });

  it("lets Claude Code write its plan, and only there", async () => {
    const world = createHookWorld();
    const plans = `${world.home}/.claude/plans`;
    expect((await world.claude(write(`${plans}/happy-tree.md`))).exitCode).toBe(0);
    expect((await world.claude({ ...write(`${plans}/a.md`), tool_name: "Edit" })).exitCode).toBe(0);
    for (const file of [
      `${plans}/../settings.md`,
      `${plans}/a.json`,
      `${plans}.md`,
      `${world.project}/plans/a.md`,
      `${world.home}/.claude/CLAUDE.md`,
    ])
      expect((await world.claude(write(file))).exitCode, file).toBe(2);
    expect((await world.claude({ ...write(`${plans}/a.md`), tool_name: "Bash" })).exitCode).toBe(2);
  });

  it("knows no plan file in the bare form, where nobody says whose plan it is", async () => {
    const world = createHookWorld();
    expect((await world.run(write(`${world.home}/.claude/plans/a.md`))).exitCode).toBe(2);
  });

  it("follows the client's folder when it was moved", async () => {
    const world = createHookWorld();
    const env = { CLAUDE_CONFIG_DIR: `${world.base}/claude` };
    expect((await world.claude(write(`${world.base}/claude/plans/a.md`), { env })).exitCode).toBe(0);
    expect((await world.claude(write(`${world.home}/.claude/plans/a.md`), { env })).exitCode).toBe(2);
  });

  it("leaves rules about the plan file in force", async () => {
    const world = createHookWorld();
    world.user("routes: {no-plan: {tool: Write, pattern: 'plans/.*\\.md$', message: Say it instead.}}\n");
    const { stderr, exitCode } = await world.claude(write(`${world.home}/.claude/plans/a.md`));
    expect([exitCode, stderr.split("\n")[0]]).toEqual([2, "Say it instead."]);
  });
});

describe("a call that cannot be read", () => {
  it.each<[what: string, stdin: unknown, told: RegExp]>([
    ["is not JSON", "{", /^Standard input is not valid JSON: .*The call is denied\.$/],
    ["is empty", "", /^Standard input is empty\./],
    ["is blank", " \n ", /^Standard input is empty\./],
    ["is null", "null", /^The call must be a JSON object\./],
    ["is a list", "[]", /^The call must be a JSON object\./],
    ["is a number", "7", /^The call must be a JSON object\./],
    ["names no tool", { tool_input: { command: "ls" } }, /^The call names no tool/],
    ["names a tool by a number", { tool_name: 5, tool_input: {} }, /^The call names no tool/],
    ["names an empty tool", { tool_name: "", tool_input: {} }, /^The call names no tool/],
    ["has no input", { tool_name: "Bash" }, /^The input of Bash is missing/],
    ["has text as input", { tool_name: "Bash", tool_input: "ls" }, /^The input of Bash is missing/],
    ["has a list as input", { tool_name: "Bash", tool_input: ["ls"] }, /^The input of Bash is missing/],
    ["is of an unknown event", bash("ls", { hook_event_name: "Stop" }), /^The event "Stop" is not one/],
    [
      "was too large",
      { problem: "Standard input is larger than 4194304 bytes." },
      /^Standard input is larger than/,
    ],
  ])("because it %s is denied with the reason", async (_, stdin, told) => {
    const world = createHookWorld();
    const bare = await world.run(stdin);
    expect([bare.stdout, bare.exitCode]).toEqual(["", 2]);
    expect(bare.stderr.trimEnd()).toMatch(told);
    const claude = await world.claude(stdin);
    expect(claude.exitCode).toBe(2);
    expect(said(claude)).toMatchObject({ permissionDecision: "deny" });
    expect(said(claude).permissionDecisionReason).toMatch(told);
    expect(claude.stderr).toBe(bare.stderr);
  });

  it("is denied when its input is deeper or larger than any call", async () => {
    const world = createHookWorld();
    const deep = `{"tool_name":"Bash","tool_input":{"command":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
    const { stderr, exitCode } = await world.run(deep);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("nested deeper");
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
    expect((await world.run({ tool_name: "Bash", tool_input: many })).exitCode).toBe(2);
  });

  it("is denied when the name of its tool is longer than any name", async () => {
    const { stderr, exitCode } = await createHookWorld().run({
      tool_name: "x".repeat(5_000),
      tool_input: {},
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("There is no tool");
  });

  it("cannot hide behind a member that JavaScript gives a meaning", async () => {
    const world = withRules();
    const hidden =
      '{"tool_name":"Bash","tool_input":{"__proto__":{"command":"ls"},"command":"git push --force"}}';
    expect((await world.run(hidden)).exitCode).toBe(2);
    // A prototype is no input: nothing is taken from it.
    const inherited = '{"__proto__":{"tool_name":"Bash","tool_input":{}}}';
    expect((await world.run(inherited)).stderr).toContain("The call names no tool");
  });

  it("may begin with a mark of its byte order", async () => {
    expect((await withRules().run(`\ufeff${JSON.stringify(bash("git push --force"))}`)).exitCode).toBe(2);
    expect((await withRules().run(`\ufeff${JSON.stringify(bash("ls"))}`)).exitCode).toBe(0);
  });
});

it("a policy in shadow mode changes no answer of a hook, and the record says what it would have come to", async () => {
  const world = createHookWorld();
  world.user("policies: {no-ssh: {tools: Bash, action: deny, mode: shadow}}\n");
  // Twice: the second time from the rule cache.
  for (let i = 0; i < 2; i++)
    expect(await world.run(bash("ssh host"))).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  expect(world.spool().map(({ verdict, shadow }) => [verdict, shadow])).toEqual(
    Array(2).fill(["abstain", [{ rule: "no-ssh", verdict: "deny", wording: expect.any(String) }]]),
  );
});
