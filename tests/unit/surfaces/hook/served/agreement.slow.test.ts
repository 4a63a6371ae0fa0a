import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HookAnswer } from "../../../../../src/agents/agent-hook.ts";
import { bash, createHookWorld, serveHooks, settle } from "../hook-world.ts";

/** One for everybody, and three projects that differ: what holds must be found for each call by itself. */
const user = `routes:
  no-force: {tool: Bash, pattern: 'git push.*--(force)', message: 'Do not use --$1.'}
  log: {tool: Bash, pattern: '^git (log|show)$', action: rewrite, rewrite: {command: 'git --no-pager $1'}}
  pages: {tool: WebFetch, pattern: 'https://internal\\.', message: Use the tool.}
policies:
  fine: {tools: Bash, action: approve, conditions: [{type: command, operator: equals, value: ls}]}
  env-files: {tools: [Write, Read, Edit], action: deny, conditions: [{type: path, operator: matches, value: '(^|/)\\.env$'}]}
`;
const projects = {
  plain: "",
  strict: "hooks: {default: deny}\n",
  own: `routes:
  no-npm: {tool: Bash, pattern: '^npm publish', message: The pipeline publishes.}
policies:
  no-curl: {tools: Bash, action: deny, conditions: [{type: command, operator: startsWith, value: curl}]}
  ignored: {tools: Bash, action: approve, conditions: [{type: command, operator: startsWith, value: echo}]}
`,
};

type Value<Of> = Of extends fc.Arbitrary<infer Made> ? Made : never;

const word = fc.constantFrom(
  ...["git push", "--force", "git log", "ls", "npm publish", "curl x", "echo $(curl y)", "cat .env"],
  ...["&&", ";", "|", "'", "sudo", "é"],
);
const command = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  fc.constantFrom("ls", "git log", "git show", "git push --force", "npm publish", "rm -rf /"),
  fc.string(),
);
const call = fc.oneof(
  fc.record({ tool_name: fc.constant("Bash"), tool_input: fc.record({ command }) }),
  fc.record({
    tool_name: fc.constantFrom("Write", "Read", "Edit"),
    tool_input: fc.record({
      file_path: fc.constantFrom(".env", "src/.env", "/etc/passwd", "../x", "a.md"),
      content: fc.string(),
    }),
  }),
  fc.record({
    tool_name: fc.constant("WebFetch"),
    tool_input: fc.record({
      url: fc.constantFrom("https://internal.example", "https://example.org", "nothing"),
    }),
  }),
  fc.record({
    tool_name: fc.constantFrom("mcp__x__y", "Unheard", ""),
    tool_input: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
  fc.record({ tool_name: fc.constant("Bash") }),
);
const context = fc.record(
  {
    permission_mode: fc.constantFrom("default", "plan"),
    session_id: fc.constant("s"),
    hook_event_name: fc.constantFrom("PreToolUse", "Other"),
    inside: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** By chance alone a kind would be missing in one run of fifty. */
const oneOfEach = ["ls", "git log", "git push --force", "echo a"].map(
  (text) => [bash(text), {}, "plain"] as [Value<typeof call>, Value<typeof context>, string],
);

function verdictOf({ stdout, exitCode }: HookAnswer): string {
  if (exitCode === 2) return "deny";
  if (stdout === "") return "abstain";
  return stdout.includes("updatedInput") ? "rewrite" : "allow";
}

it("the server answers every call as a process does, in whatever project", async () => {
  const world = createHookWorld();
  world.user(user);
  for (const [name, text] of Object.entries(projects)) {
    world.write(join(world.base, name, ".git/HEAD"), "");
    world.write(join(world.base, name, "src/a.md"), "");
    if (text !== "") world.write(join(world.base, name, "toolgate.yaml"), text);
  }
  await settle();
  const served = await serveHooks(world);
  const seen = new Set<string>();
  const inAnyProject = fc.asyncProperty(
    call,
    context,
    fc.constantFrom(...Object.keys(projects)),
    async (asked, { inside, ...more }, name) => {
      const project = join(world.base, name);
      const sent = { ...asked, ...more, cwd: inside === true ? join(project, "src") : project };
      const options = { env: { CLAUDE_PROJECT_DIR: project }, cwd: project };
      const byProcess = await world.claude(sent, options);
      const byServer = await served.claude(sent, { ...options, waitMs: 5 });
      if (byProcess.stderr.startsWith("A person's approval would be needed")) {
        // The one difference: the server does ask.
        expect(byServer.stderr).toContain("Nobody answered within");
        expect(byServer.exitCode).toBe(2);
        return;
      }
      // Notices are said once by each, when it loads the rules.
      expect(withoutNotice(byServer)).toEqual(withoutNotice(byProcess));
      seen.add(verdictOf(byProcess));
    },
  );
  await fc.assert(inAnyProject, { numRuns: 400, examples: oneOfEach });
  // Every kind of answer was there.
  expect([...seen].sort()).toEqual(["abstain", "allow", "deny", "rewrite"]);
});

function withoutNotice({ stdout, stderr, exitCode }: HookAnswer): object {
  const { systemMessage: _, ...said } = stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>);
  return { said, stderr, exitCode };
}
