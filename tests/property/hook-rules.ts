/** Generators of rules and calls as a coding agent's hook meets them, over a small world so that rules really meet calls. */
import fc from "fast-check";
import type { CallRequest, Policy, Route } from "../../src/index.ts";
import type { Condition } from "../../src/rules/conditions/condition.ts";
import { routeKey } from "../../src/rules/routes.ts";

const toolPattern = fc.oneof(
  {
    arbitrary: fc.constantFrom("Bash", "Bash", "shell.exec", "execute_command", "WebFetch", "web_fetch"),
    weight: 6,
  },
  { arbitrary: fc.constantFrom("Read", "Write", "Edit", "fs.write", "Task", "TodoWrite"), weight: 3 },
  { arbitrary: fc.constantFrom("mcp__x__*", "mcp__x__run", "mcp__*__run", "Frobnicate"), weight: 2 },
  { arbitrary: fc.constantFrom("*", "fs.*", "*Fetch", "shell*", "m*_*n"), weight: 3 },
  {
    arbitrary: fc.constantFrom<string[]>(
      ["Bash", "WebFetch"],
      ["Write", "Edit", "mcp__x__*"],
      ["Frobnicate", "*Fetch"],
    ),
    weight: 2,
  },
);

/** Sources, each with its flags behind a slash if it has some. */
const patternsOf = (sources: readonly string[]) =>
  fc.constantFrom(...sources).map((text): [string, string?] => {
    const [, source = text, flags] = /^(.*)\/([a-z]+)$/s.exec(text) ?? [];
    return flags === undefined ? [source] : [source, flags];
  });

const patternAndFlags = fc.oneof(
  {
    arbitrary: patternsOf([
      ...["git push", "git\\s+push.*--force", "^ls\\b", "rm -rf|unlink", "FORCE/i", "Git Push/i"],
      ...["ALPHA|Beta/i", "github\\.com/([\\w-]+)/([\\w-]+)/pull/(\\d+)", "https?://([^/]+)/(.*)"],
      ...["\\.env$", "(\\w+)\\s+(\\w+)"],
      ...["^(git) (?:push|pull)(?: (\\S+))?", "alpha", "beta", "a+b+c", ".{20}", "^(?:)", "^$", "é|ß"],
      ...["line\\ntwo", "^two$/m", "line.two/s", "\\$\\(|`", "secret/i", "x{2,4}y?", "'[^']*'"],
      // Foreign spellings are the last two.
      ...["nothing-like-this-anywhere", "(?i)GIT", "(?P<verb>push|pull)"],
    ]),
    weight: 8,
  },
  {
    // No linear engine takes these: they run under a budget, together.
    arbitrary: patternsOf([
      ...["push(?! origin)", "(?=.*--force)(?=.*main)", "(?<!no-)force", "(?<=git )(push|pull)", "(\\w)\\1"],
      ...["(?<q>['\"]).*\\k<q>", "\\u{1f600}|\\p{Lu}{2}/u", "[\\p{L}--[a-z]]/v", "TASK/iu", "(?i:GIT) push"],
    ]),
    weight: 4,
  },
);

const tier = fc.constantFrom("admin", "plugin", "user", "project", "shipped");
const source = fc.constantFrom(
  { file: "toolgate.yaml", line: 3, column: 5 },
  { file: "/etc/toolgate/a.yaml" },
);
const field = fc.constantFrom(
  ...["command", "cmd", "url", "path", "file_path", "content", "description", "options.mode"],
  ...["edits[].new_string", "timeout", "nothing"],
);

/** The hook's caller is `local`, of whom no rights are known. */
const caller = fc.constantFrom<NonNullable<Route["caller"]>>(
  ...["local", "lo*", "ci-*", "*"],
  ["ci", "local"],
  { not: "local" },
  { not: ["ci-*"] },
  { right: "call" },
  { name: "ci", right: "call" },
);

const looks = { tool: toolPattern, caller, pattern: patternAndFlags, field, tier, source };
const blockRoute = fc.record(
  {
    ...looks,
    message: fc.constantFrom("Use something else.", "Use `gh pr view $3 -R $1/$2`.", "$& costs $$5, not $9."),
  },
  { requiredKeys: ["tool", "pattern", "message"] },
);
/** Broad ones, so that they meet a block of another tier. */
const passes = fc.oneof(patternAndFlags, patternsOf([".", "^", "^/m", "[a-z]"]));
const allowRoute = fc.record(
  { ...looks, pattern: passes, action: fc.constant("allow" as const) },
  { requiredKeys: ["tool", "pattern", "action"] },
);
const changes = fc.oneof(
  patternAndFlags,
  patternsOf(["alpha", "beta", "^ls", "^(git) (?:push|pull)", "Force/i"]),
);
const rewriteRoute = fc.record(
  {
    ...looks,
    pattern: changes,
    action: fc.constant("rewrite" as const),
    message: fc.constant("Changed."),
    // Some chain, some chase each other, some grow, some name a field that is not there or holds no text.
    rewrite: fc.constantFrom<Record<string, string>>(
      { command: "git --no-pager $1" },
      { command: "beta" },
      { command: "alpha" },
      { command: "$& $&" },
      { command: "" },
      { url: "https://example.com/$2" },
      { path: "src/$1.txt" },
      { command: "echo $$1", timeout: "5" },
      { description: "rewritten" },
      { cmd: "ls" },
    ),
  },
  { requiredKeys: ["tool", "pattern", "action", "rewrite"] },
);

const route = fc.oneof(
  { arbitrary: blockRoute, weight: 5 },
  { arbitrary: allowRoute, weight: 3 },
  { arbitrary: rewriteRoute, weight: 4 },
);

/** Two that chase each other. */
const chase = fc.constantFrom<Omit<Route, "name">[]>(
  [],
  [],
  [
    { tool: "*", pattern: "^alpha$", action: "rewrite", rewrite: { command: "beta" }, tier: "admin" },
    { tool: "Bash", pattern: "^beta$", action: "rewrite", rewrite: { command: "alpha" }, tier: "shipped" },
  ],
);

const many = { minLength: 5, maxLength: 16, size: "max" } as const;

export const routes: fc.Arbitrary<Route[]> = fc.tuple(fc.array(route, many), chase).map(([list, pair]) => {
  const plain = list.map(({ pattern: [pattern, flags], ...rest }) => ({
    ...(rest as Omit<Route, "name" | "pattern">),
    pattern,
    ...(flags !== undefined && { flags }),
  }));
  const seen = new Set<string>();
  const named = [...plain, ...pair].map((one, index): Route => ({ ...one, name: `r${index}` }));
  return named.filter((one) => !seen.has(routeKey(one)) && seen.add(routeKey(one)));
});

const paths = [
  ...["src/a.txt", "a.txt", "../outside.txt", "/etc/passwd", ".env", "out/b.txt", "~/x", "src/../a.txt"],
];

function conditionOf(
  type: Condition["type"],
  operators: readonly Condition["operator"][],
  values: readonly Condition["value"][],
  more: Partial<Condition> = {},
): fc.Arbitrary<Condition> {
  return fc
    .tuple(fc.constantFrom(...operators), fc.constantFrom(...values))
    .map(([operator, value]) => ({ type, operator, value, ...more }));
}

const text = ["equals", "contains", "startsWith"] as const;
const condition: fc.Arbitrary<Condition> = fc.oneof(
  conditionOf("path", [...text, "inside"], ["src", "a.txt", ".env", "/etc", "src/a.txt", ["out", "/etc"]]),
  conditionOf("path", ["matches"], ["\\.txt$", "^src/", "(?<!a)\\.txt", ["env", "passwd"]]),
  conditionOf("content", text, ["secret", "line", ["x", "secret text"]]),
  conditionOf("content", ["matches"], ["s.cret", "^line$", "(?=.*secret)"]),
  conditionOf("size", ["equals", "lessThan", "greaterThan"], [0, 20, 44, 1_000]),
  conditionOf("risk", ["equals", "lessThan", "greaterThan"], ["read", "write", "execute", "opaque"]),
  conditionOf("command", text, ["git push", "ls", "rm -rf", ["cat", "git status"]]),
  conditionOf("command", ["matches"], ["^git (?!status)", "rm", ["^ls$", "^cat "]]),
  conditionOf("url", [...text, "inside"], ["example.com", ["github.com", "example.org"]]),
  conditionOf("url", ["matches", "equals"], ["https://example\\.com/?", "https://example.com/"]),
  conditionOf("argument", ["equals"], ["fast", 5, true, ["slow", 0]], { field: "options.mode" }),
  conditionOf("argument", ["lessThan", "greaterThan"], [10], { field: "timeout" }),
  conditionOf("argument", ["contains", "startsWith", "matches"], ["a", "[0-9]"], { field: "description" }),
  conditionOf("argument", ["inside"], ["src", "/etc"], { field: "file_path" }),
  conditionOf("argument", ["contains"], ["secret"], { field: "edits[].new_string" }),
);

const policy = fc.record(
  {
    tools: toolPattern,
    caller,
    action: fc.constantFrom("approve", "ask", "deny"),
    priority: fc.constantFrom(-1, 0, 1, 1, 2.5, 10),
    tier: fc.constantFrom("plugin", "project", "user", "admin"),
    conditions: fc.array(condition, { maxLength: 3 }),
    modes: fc.constantFrom(["act"], ["plan"], ["act", "plan"]),
    reason: fc.constantFrom("Because.", "Ask \u201cAnn\u201d first."),
    source,
  },
  { requiredKeys: ["tools", "action"] },
);

export const policies: fc.Arbitrary<Policy[]> = fc
  .array(policy, { maxLength: 8, size: "max" })
  .map((list) => list.map((one, index) => ({ name: `p${index}`, ...one }) as Policy));

export const checkDefault = fc.constantFrom("abstain", "abstain", "ask", "deny");

const commands = [
  ...["ls", "ls -la src", "git push", "git push --force origin main", "git push  --force", "git pull alpha"],
  ...["GIT PUSH --FORCE", "git Push --Force", "Alpha", "BETA now", "alpha"],
  ...["alpha", "beta", "alpha beta", "echo force; git status", "no-force", "rm -rf / && ls", "unlink x"],
  ...["cat src/a.txt | grep 'a b' > out/b.txt", "cat .env", 'cat "$f"', "echo $(git push)", "echo `rm x`"],
  ...["bash -c 'git push'", "sudo rm -rf src", "env A=1 git push", "xargs rm < a.txt", "eval $x"],
  ...["line\ntwo", "line\r\ntwo", "é", "Straße", "GIT PUSH", "😀 OK", "TASK", "ta\u017fk", "xxxy", "aabbcc"],
  ...["", "cat <<EOF\nsecret\nEOF", "if", "(", "a\u0000b", "git push origin", "'alpha'"],
  `${"x".repeat(5_000)} git push`,
];
const urls = [
  "https://github.com/foo/bar/pull/123",
  "https://github.com/foo/bar",
  "http://example.com/",
  "HTTPS://EXAMPLE.com./a b",
  "https://sub.example.com/secret?x=1#alpha",
  "https://example.com/SECRET/Force",
  "not a url",
  "",
];
const odd = fc.constantFrom<unknown>(
  ...[5, null, true, {}, [], { a: 1 }, [1, "ls"], [["ls"], ["rm", "-rf"]], ["ls", "-la"]],
);
const textOf = (values: readonly string[]) =>
  fc.oneof({ arbitrary: fc.constantFrom<unknown>(...values), weight: 9 }, { arbitrary: odd, weight: 1 });

const command = textOf(commands);
const shellInput = fc.oneof(
  {
    arbitrary: fc.record(
      { command, description: textOf(["a b", "7 things"]), timeout: fc.constantFrom(5, 500, "5") },
      { requiredKeys: ["command"] },
    ),
    weight: 7,
  },
  {
    arbitrary: fc.record(
      {
        cmd: command,
        commands: fc.array(command, { maxLength: 3 }),
        cwd: textOf(paths),
        "options.mode": fc.constant("slow"),
      },
      { requiredKeys: [] },
    ),
    weight: 2,
  },
  {
    arbitrary: fc.record({ command: fc.array(fc.constantFrom("bash", "-lc", "git push", "ls", "a b")) }),
    weight: 1,
  },
);
const webInput = fc.record(
  { url: textOf(urls), urls: fc.array(textOf(urls), { maxLength: 2 }), prompt: fc.constant("git push") },
  { requiredKeys: [] },
);
const fileInput = fc.record(
  {
    file_path: textOf(paths),
    path: textOf(paths),
    content: textOf(["secret text", "line\ntwo", "x"]),
    edits: fc.array(fc.record({ new_string: textOf(["secret", "ok"]) }), { maxLength: 2 }),
    options: fc.record({ mode: fc.constantFrom("fast", "slow", 5, true) }),
  },
  { requiredKeys: [] },
);
const strangeInput = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, [], "ls", 7, { nothing: "alpha" }, { path: { deep: [1] } }),
  fc.dictionary(fc.constantFrom("command", "url", "x", "__proto__", "constructor"), command),
);

const asked = (weight: number, tools: readonly string[], input: fc.Arbitrary<unknown>) => ({
  arbitrary: fc.record({ tool: fc.constantFrom(...tools), input }),
  weight,
});

const toolAndInput = fc.oneof(
  asked(8, ["Bash", "Bash", "shell.exec", "shell_exec", "run_shell_command"], shellInput),
  asked(4, ["WebFetch", "web_fetch"], webInput),
  asked(4, ["Read", "Write", "Edit", "write_to_file"], fileInput),
  asked(
    3,
    ["mcp__x__run", "mcp__y__go", "Frobnicate", "Task", "TodoWrite"],
    fc.oneof(shellInput, webInput, fileInput),
  ),
  asked(1, ["", "__proto__", "constructor", "x".repeat(300), "Bash ", "B\u0000", "Bash"], strangeInput),
);

/** `cwd` is relative to the workspace. */
export const call: fc.Arbitrary<CallRequest> = fc
  .tuple(
    toolAndInput,
    fc.record(
      {
        cwd: fc.constantFrom(".", ".", "src", "link", "..", "not-there"),
        mode: fc.constantFrom("act", "act", "plan"),
        sessionId: fc.constant("s1"),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([asked, context]) => ({ ...asked, ...context }) as CallRequest);
