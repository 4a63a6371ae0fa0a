import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HookAnswer } from "../../../../../src/agents/agent-hook.ts";
import { openAgent } from "../../../../../src/agents/all-agents.ts";
import { claudeCode } from "../../../../../src/agents/claude-code/agent.ts";
import { openStore } from "../../../../../src/open/open-store.ts";
import { checkHook } from "../../../../../src/surfaces/hook/served/check-hook.ts";
import { createHookService } from "../../../../../src/surfaces/hook/served/hook-service.ts";
import { createHookWorld, settle } from "../hook-world.ts";

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

const command = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        "git push",
        "--force",
        "git log",
        "ls",
        "npm publish",
        "curl x",
        "echo $(curl y)",
        "cat .env",
        "&&",
        ";",
        "|",
        "'",
        "sudo",
        "é",
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((words) => words.join(" ")),
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
  (text): [Value<typeof call>, Value<typeof context>, string] => [
    { tool_name: "Bash", tool_input: { command: text } },
    { hook_event_name: "PreToolUse" },
    "plain",
  ],
);

it("the server answers every call as a process does, in whatever project", async () => {
  const world = createHookWorld();
  world.user(user);
  for (const [name, text] of Object.entries(projects)) {
    world.write(join(world.base, name, ".git/HEAD"), "");
    world.write(join(world.base, name, "src/a.md"), "");
    if (text !== "") world.write(join(world.base, name, "toolgate.yaml"), text);
  }
  await settle();
  const store = await openStore({ stateFolder: join(world.base, "store") });
  const service = createHookService({ store, env: world.env });
  const seen = new Map<string, number>();
  const verdict = ({ stdout, exitCode }: HookAnswer) =>
    exitCode === 2
      ? "deny"
      : stdout === ""
        ? "abstain"
        : stdout.includes("updatedInput")
          ? "rewrite"
          : "allow";
  try {
    await fc.assert(
      fc.asyncProperty(
        call,
        context,
        fc.constantFrom(...Object.keys(projects)),
        async (asked, { inside, ...more }, name) => {
          const project = join(world.base, name);
          const text = JSON.stringify({
            ...asked,
            ...more,
            cwd: inside === true ? join(project, "src") : project,
          });
          const env = { ...world.env, CLAUDE_PROJECT_DIR: project };
          const byProcess = await world.claude(text, { env, cwd: project });
          const byServer = await checkHook(
            {
              agent: await openAgent(claudeCode),
              text,
              cwd: project,
              env,
              caller: { id: "local", capabilities: ["*"] },
              isOwner: true,
              isStillAllowed: async () => true,
              signal: new AbortController().signal,
              waitMs: 5,
            },
            service,
          );
          if (byProcess.stderr.startsWith("A person's approval would be needed")) {
            // The one difference: the server does ask.
            expect(byServer.ok && byServer.answer.stderr).toContain("Nobody answered within");
            expect(byServer.ok && byServer.answer.exitCode).toBe(2);
            return;
          }
          // Notices are said once by each, when it loads the rules.
          expect(byServer.ok && withoutNotice(byServer.answer)).toEqual(withoutNotice(byProcess));
          const which = verdict(byProcess);
          seen.set(which, (seen.get(which) ?? 0) + 1);
        },
      ),
      { numRuns: 400, examples: oneOfEach },
    );
  } finally {
    await service.close();
    await store.close();
  }
  // Every kind of answer was there.
  expect([...seen.keys()].sort()).toEqual(["abstain", "allow", "deny", "rewrite"]);
});

function withoutNotice({ stdout, stderr, exitCode }: HookAnswer): object {
  const { systemMessage: _, ...said } = stdout === "" ? {} : (JSON.parse(stdout) as Record<string, unknown>);
  return { said, stderr, exitCode };
}
