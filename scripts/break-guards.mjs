/**
 * Breaks guards on purpose, one line at a time, and shows which test notices: `node scripts/break-guards.mjs`.
 * The working tree stays as it is: everything happens in copies in a temporary folder.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";

/**
 * `find` is a part of one line that occurs once in `file`. `lost` says what an attacker or an accident would gain.
 * `tests` are patterns of test files; `suites` says in which of the suites below they are run, the quick one first.
 */
const guards = [
  {
    name: "later-deny-wins",
    area: "walk",
    lost: "A deny that was added while a person was thinking would not stop the call.",
    file: "src/pipeline/admit.ts",
    find: "  call.plan = plan;",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/approve*.test.ts"],
  },
  {
    name: "edited-input-meets-hooks",
    area: "walk",
    lost: "No hook would look at an input that a person has edited.",
    file: "src/pipeline/admit.ts",
    find: "return andThen(andThen(andThen(route(call, parts), validate, parts), beforeHooks, parts), permit, parts);",
    replace: "return andThen(andThen(route(call, parts), validate, parts), permit, parts);",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/approve*.test.ts"],
  },
  {
    name: "rewritten-input-is-routed",
    area: "walk",
    lost: "A hook could rewrite a call into one that a route blocks.",
    file: "src/pipeline/stages/before-hooks.ts",
    find: "andThen(route(this.#call, this.#parts), validate, this.#parts)",
    replace: "validate(this.#call, this.#parts)",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/before-hooks*.test.ts", "tests/attack/gate*.test.ts"],
  },
  {
    name: "failed-hook-stops",
    area: "walk",
    lost: "A hook that crashes would let every call pass.",
    file: "src/pipeline/stages/before-hooks.ts",
    find: "if (open) return this;",
    replace: "return this;",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/before-hooks*.test.ts", "tests/attack/command-hooks*.test.ts"],
  },
  {
    name: "plan-mode-only-reads",
    area: "walk",
    lost: "An agent that is told to plan could already write.",
    file: "src/pipeline/stages/permit.ts",
    find: "if (more !== undefined) return planModeStop(planned.id, more);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/permit*.test.ts", "tests/attack/plan-mode*.test.ts"],
  },
  {
    name: "strictest-part-decides",
    area: "walk",
    lost: "A harmless first command would carry a forbidden second one: `ls && rm -rf /`.",
    file: "src/rules/decide.ts",
    find: "if (strictest === undefined || isStricter(decision, strictest)) strictest = decision;",
    replace: "strictest ??= decision;",
    suites: ["unit"],
    tests: ["tests/unit/rules/policies*.test.ts", "tests/property/verdicts*.test.ts"],
  },
  {
    name: "unread-line-is-opaque",
    area: "shell judge",
    lost: "A line that the parser does not understand would count as one that only reads.",
    file: "src/shell/judge.ts",
    find: 'markUnread(walk, parsed.reason, typeof commandLine === "string" ? commandLine : "");',
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/shell/judge*.test.ts", "tests/attack/unread-lines*.test.ts"],
  },
  {
    name: "unread-inner-line-is-opaque",
    area: "shell judge",
    lost: "`bash -c` would hide a line that the parser does not understand.",
    file: "src/shell/wrappers/nested-shell.ts",
    find: "markUnread(walk, parsed.reason, text);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/shell/judge*.test.ts", "tests/attack/unread-lines*.test.ts"],
  },
  {
    name: "unlisted-option-is-opaque",
    area: "shell judge",
    lost: "An option in no list would count as harmless; the next release of a program may bring one that writes.",
    file: "src/shell/options.ts",
    find: "const { name, code } = longOption(reading, written);",
    replace: "const { name, code = FLAG } = longOption(reading, written);",
    suites: ["unit"],
    tests: ["tests/unit/shell/*.test.ts", "tests/attack/shell-*.test.ts"],
  },
  {
    name: "opaque-line-is-not-approved",
    area: "shell judge",
    lost: "A rule that approves a program would also approve what nobody understands beside it.",
    file: "src/rules/decide.ts",
    find: "if (subject.opaque !== undefined && !isCovered) return inDoubt(opaqueDecision(subject), by);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/rules/policies*.test.ts", "tests/attack/approved-*.test.ts"],
  },
  {
    name: "redirect-is-a-write",
    area: "shell judge",
    lost: "`echo x > file` would pass where only reading is allowed.",
    file: "src/shell/redirects.ts",
    find: 'if (access === "write") raiseRisk(walk, WRITE);',
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/shell/judge*.test.ts", "tests/attack/shell-dev-set*.test.ts"],
  },
  {
    name: "links-are-not-followed",
    area: "path guard",
    lost: "A link in the workspace would lead file tools anywhere on the disk.",
    file: "src/safe/files/inside-root/grips/proc-grips.ts",
    find: "const holdFlags = oPath | constants.O_NOFOLLOW;",
    replace: "const holdFlags = oPath;",
    suites: ["slow"],
    tests: ["tests/attack/path-escape*.test.ts"],
  },
  {
    name: "hard-link-is-seen-after-open",
    area: "path guard",
    lost: "A hard link in the workspace would open a secret outside of it.",
    file: "src/safe/files/inside-root/grips/open-verified.ts",
    find: "if (fstatSync(fd).nlink > 1) {",
    replace: "if (fstatSync(fd).nlink > 99) {",
    suites: ["unit"],
    tests: ["tests/unit/safe/files/inside-root/*.test.ts"],
  },
  {
    name: "opened-is-what-was-judged",
    area: "path guard",
    lost: "A path that leads elsewhere since it was judged would be opened all the same.",
    file: "src/safe/files/inside-root/grips/bounds.ts",
    find: "if (isJudged(parts)) return undefined;",
    replace: "return undefined;",
    suites: ["unit"],
    tests: ["tests/unit/safe/files/inside-root/*.test.ts"],
  },
  {
    name: "own-state-is-closed",
    area: "path guard",
    lost: "File tools could read the owner's token and change the rules.",
    file: "src/safe/files/inside-root/guard.ts",
    find: "if (scope.statePaths.holds(absoluteParts)) return ownState(request);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/safe/files/inside-root/*.test.ts"],
  },
  {
    name: "answer-counts-once",
    area: "approvals",
    lost: "A second answer would turn a no into a yes.",
    file: "src/stores/sqlite/approvals/approvals-area.ts",
    find: "WHERE id = ? AND state = 'pending' AND principal <> ?",
    replace: "WHERE id = ? AND principal <> ?",
    suites: ["unit"],
    tests: ["tests/unit/stores/sqlite/sqlite-*.test.ts"],
  },
  {
    name: "approval-is-used-once",
    area: "approvals",
    lost: "One yes would run a call as often as it is claimed.",
    file: "src/stores/sqlite/approvals/approvals-area.ts",
    find: "WHERE id = ? AND state = 'approved' AND process_id = ?",
    replace: "WHERE id = ? AND process_id = ?",
    suites: ["unit"],
    tests: ["tests/unit/stores/sqlite/sqlite-*.test.ts"],
  },
  {
    name: "approval-is-for-one-input",
    area: "approvals",
    lost: "A yes to one command would run another one.",
    file: "src/stores/sqlite/approvals/approvals-area.ts",
    find: "definition_hash = ? AND approved_input_hash = ? AND",
    replace: "definition_hash = ? AND ? IS NOT NULL AND",
    suites: ["unit"],
    tests: ["tests/unit/stores/sqlite/sqlite-*.test.ts"],
  },
  {
    name: "moved-path-voids-the-yes",
    area: "approvals",
    lost: "A link that is put in the place of an approved path would inherit the yes.",
    file: "src/pipeline/stages/approve.ts",
    find: "if (approval === undefined || call.subjects === undefined) return undefined;",
    replace: "return undefined;",
    suites: ["slow"],
    tests: ["tests/attack/approval-swap*.test.ts"],
  },
  {
    name: "nobody-approves-their-own-call",
    area: "approvals",
    lost: "An agent with a token that may approve would answer its own question.",
    file: "src/stores/memory/memory-approvals.ts",
    find: "if (answer.by === entry.request.caller) return selfApproval(answer.by);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/stores/memory/*.test.ts"],
  },
  {
    name: "agents-do-not-run-approve",
    area: "approvals",
    lost: "An agent would approve its own call by `toolgate approvals approve`.",
    file: "src/rules/own/own-decisions.ts",
    find: "if (persons === undefined) return undefined;",
    replace: "return undefined;",
    suites: ["unit"],
    tests: ["tests/attack/own-answers*.test.ts"],
  },
  {
    name: "intent-comes-first",
    area: "ledger",
    lost: "A tool would write or execute although its intent could not be recorded.",
    file: "src/pipeline/run/execute.ts",
    find: "const refused = await openIntent(admitted, parts);",
    replace: "const refused = void openIntent(admitted, parts);",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/record*.test.ts", "tests/unit/pipeline/every-code*.test.ts"],
  },
  {
    name: "unrecorded-call-fails",
    area: "ledger",
    lost: "A call without a record would look like one that succeeded.",
    file: "src/pipeline/walk.ts",
    find: "const end = failed === undefined ? outcome : refusal(call, outcome.tool, failed, parts);",
    replace: "const end = outcome;",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/*.test.ts"],
  },
  {
    name: "row-fits-its-hash",
    area: "ledger",
    lost: "A row that was edited would pass `toolgate audit verify`.",
    file: "src/stores/ledger/verify-rows.ts",
    find: "else if (nextHash(this.hash, seq, body) !== hash)",
    replace: 'else if (hash === "")',
    suites: ["unit"],
    tests: ["tests/unit/stores/sqlite/sqlite-ledger*.test.ts", "tests/attack/ledger-mutations*.test.ts"],
  },
  {
    name: "removed-end-is-seen",
    area: "ledger",
    lost: "The last rows could be removed together with the head.",
    file: "src/stores/ledger/verify-rows.ts",
    find: "if (this.seq < this.#lastSealed)",
    replace: "if (this.seq < 0)",
    suites: ["unit"],
    tests: ["tests/attack/ledger-mutations*.test.ts"],
  },
  {
    name: "checkpoint-is-signed",
    area: "ledger",
    lost: "An attacker who rewrites the whole chain could rewrite its checkpoints, too.",
    file: "src/stores/ledger/checkpoint.ts",
    find: "if (!publicKeys.some((key) => verify(null, bytes, key, signed))) return undefined;",
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/stores/sqlite/sqlite-ledger*.test.ts", "tests/attack/ledger-mutations*.test.ts"],
  },
  {
    name: "token-expires",
    area: "tokens",
    lost: "A token would count for good.",
    file: "src/surfaces/http/tokens/token-check.ts",
    find: "return found.expiresAt !== undefined && now() >= found.expiresAt ? undefined : found.holder;",
    replace: "return found.holder;",
    suites: ["unit"],
    tests: ["tests/unit/surfaces/http/tokens/*.test.ts"],
  },
  {
    name: "token-needs-the-right",
    area: "tokens",
    lost: "Any token could approve calls, change rules and make further tokens.",
    file: "src/surfaces/http/handle-request.ts",
    find: "if (!isAllowed(route, holder)) return refused(forbidden(prepared), holder);",
    replace: "",
    suites: ["unit"],
    tests: ["tests/attack/http-tokens*.test.ts"],
  },
  {
    name: "revoked-token-voids-the-yes",
    area: "tokens",
    lost: "A call would run for a token that was revoked while the call waited for a person.",
    file: "src/surfaces/http/still-allowed.ts",
    find: "if (found === undefined) return false;",
    replace: "if (found === undefined) return true;",
    suites: ["unit"],
    tests: ["tests/unit/surfaces/http/still-allowed*.test.ts"],
  },
  {
    name: "issuer-cannot-name-our-callers",
    area: "tokens",
    lost: "A user name at the identity provider could be the name of one of our own tokens.",
    file: "src/surfaces/http/tokens/jwt-check.ts",
    find: "id: `oauth:$",
    replace: "id: `$",
    suites: ["unit"],
    tests: ["tests/unit/surfaces/http/tokens/*.test.ts"],
  },
  {
    name: "host-is-ours",
    area: "MCP",
    lost: "A web page whose name was rebound to this machine could call tools.",
    file: "src/surfaces/http/check-origin.ts",
    find: "if (host === undefined || !(hosts.has(host) || hosts.has(host.toLowerCase())))",
    replace: "if (host === undefined)",
    suites: ["unit"],
    tests: ["tests/attack/mcp-http*.test.ts", "tests/attack/http-hosts*.test.ts"],
  },
  {
    name: "session-is-its-callers",
    area: "MCP",
    lost: "The id of a session would be enough to use it with another token.",
    file: "src/surfaces/mcp/http/sessions.ts",
    find: "if (entry === undefined || entry.session.callerId !== callerId) return undefined;",
    replace: "if (entry === undefined) return undefined;",
    suites: ["unit"],
    tests: ["tests/attack/mcp-http*.test.ts", "tests/unit/surfaces/mcp/http/*sessions*.test.ts"],
  },
  {
    name: "question-is-its-callers",
    area: "MCP",
    lost: "A caller could answer the question that another caller's call waits for.",
    file: "src/surfaces/mcp/ask/request-state.ts",
    find: "JSON.stringify([head, who, fingerprint(about)])",
    replace: "JSON.stringify([head, fingerprint(about)])",
    suites: ["unit"],
    tests: ["tests/unit/surfaces/mcp/ask/*.test.ts"],
  },
  {
    name: "changed-tool-is-not-called",
    area: "MCP",
    lost: "A server that changes a tool after it was accepted would get calls meant for the old one.",
    file: "src/sources/upstream/upstream-server.ts",
    find: 'if (now !== digest) throw new NotAccepted(withheldBecause(this.spec.name, name, "changed"));',
    replace: "",
    suites: ["unit"],
    tests: ["tests/attack/mcp-restarted-upstream*.test.ts"],
  },
  {
    name: "changed-tool-is-hidden",
    area: "MCP",
    lost: "A changed definition would be offered to models before a person has seen it.",
    file: "src/sources/upstream/pins/compare-definitions.ts",
    find: "else if (found.digest === pin.digest) same.push(pin);",
    replace: 'else if (found.digest !== "") same.push(found);',
    suites: ["slow"],
    tests: ["tests/unit/sources/upstream/pinned*.test.ts"],
  },
  {
    name: "upstream-takes-no-name",
    area: "MCP",
    lost: "A server could put its own tool in the place of another one.",
    file: "src/sources/upstream/tools/tools-in-gate.ts",
    find: "const why = explainTaken(id, taken) ?? this.#put(id, offered, name);",
    replace: "const why = this.#put(id, offered, name);",
    suites: ["unit"],
    tests: ["tests/unit/sources/upstream/*.test.ts"],
  },
  {
    name: "broken-rules-deny",
    area: "hook",
    lost: "A syntax error in the rules would switch all of them off.",
    file: "src/surfaces/hook/process/run-hook.ts",
    find: 'return rules.ok ? checkWith(rules, asked) : deny(asked, "internal_error", rules.message);',
    replace: "return rules.ok ? checkWith(rules, asked) : silence;",
    suites: ["slow"],
    tests: ["tests/unit/surfaces/hook/process/find-rules*.test.ts"],
  },
  {
    name: "exception-denies",
    area: "hook",
    lost: "An exception in the hook would let the call pass.",
    file: "src/surfaces/hook/process/run-hook.ts",
    find: "return answerDenied(request.agent, reason);",
    replace: "return silence;",
    suites: ["unit"],
    tests: ["tests/unit/surfaces/hook/process/after-call*.test.ts"],
  },
  {
    name: "late-hook-stops",
    area: "hook",
    lost: "A hook that does not answer in time would count as one that has no objection.",
    file: "src/pipeline/stages/run-hook.ts",
    find: 'finish({ kind: "failed", why: `it did not answer within',
    replace: "finish({ ...noObjection, why: `it did not answer within",
    suites: ["unit"],
    tests: ["tests/unit/pipeline/stages/before-hooks*.test.ts"],
  },
  {
    name: "unasked-question-denies",
    area: "hook",
    lost: "A call that needs a person would run where nobody can be asked.",
    file: "src/surfaces/hook/process/answer.ts",
    find: 'return { verdict: "deny", reason: reasonOf(result), contexts, warnings };',
    replace:
      'return { verdict: verdict === "ask" ? "abstain" : verdict, reason: reasonOf(result), contexts, warnings };',
    suites: ["unit"],
    tests: ["tests/unit/surfaces/hook/*.test.ts"],
  },
  {
    name: "trust-is-in-the-content",
    area: "trust",
    lost: "A trusted rule file would stay trusted after somebody has changed it.",
    file: "src/config/trust/trust.ts",
    find: "file.path === real && file.sha256 === sha256",
    replace: "file.path === real",
    suites: ["unit"],
    tests: ["tests/unit/config/trust/*.test.ts"],
  },
  {
    name: "strangers-run-no-hooks",
    area: "trust",
    lost: "A cloned project would run its own programs at the first call.",
    file: "src/config/trust/narrow.ts",
    find: "return { file: { ...parsed, routes, policies, hooks: [], settings }, ignored };",
    replace: "return { file: { ...parsed, routes, policies, settings }, ignored };",
    suites: ["unit"],
    tests: ["tests/unit/config/hooks*.test.ts", "tests/unit/config/trust/*.test.ts"],
  },
  {
    name: "strangers-do-not-rewrite",
    area: "trust",
    lost: "A cloned project could replace a command by another one.",
    file: "src/config/trust/narrow.ts",
    find: 'if (action === "rewrite") return "it changes calls";',
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/config/load-config*.test.ts", "tests/unit/config/trust/*.test.ts"],
  },
  {
    name: "strangers-lift-nothing",
    area: "trust",
    lost: "A policy of a cloned project would stand above the user's own.",
    file: "src/config/load-config.ts",
    find: 'policies: isStrange ? withTier(taken, "plugin").policies : policies,',
    replace: "policies,",
    suites: ["unit"],
    tests: ["tests/attack/strangers-*.test.ts", "tests/unit/config/load-config*.test.ts"],
  },
  {
    name: "network-is-off",
    area: "sandbox",
    lost: "A sandboxed command could send away what it reads.",
    file: "src/safe/sandbox/sandbox-process.ts",
    find: "canDisableNesting: test.canDisableNesting,",
    replace: "canDisableNesting: test.canDisableNesting, network: true,",
    suites: ["unit"],
    tests: ["tests/unit/safe/sandbox/*.test.ts"],
  },
  {
    name: "protected-path-is-read-only",
    area: "sandbox",
    lost: "A sandboxed command could plant a git hook that runs outside.",
    file: "src/safe/sandbox/mounts.ts",
    find: '...outermostFirst(cover.locked).flatMap((path) => ["--ro-bind", path, path]),',
    replace: "",
    suites: ["unit"],
    tests: ["tests/unit/safe/sandbox/*.test.ts"],
  },
  {
    name: "keys-are-hidden",
    area: "sandbox",
    lost: "A sandboxed command could read the keys of the home folder.",
    file: "src/safe/sandbox/sandbox-process.ts",
    find: "const hidden = [...keyPaths(home), ...(options.protectedPaths?.hidden ?? [])];",
    replace: "const hidden = [...(options.protectedPaths?.hidden ?? [])];",
    suites: ["unit"],
    tests: ["tests/attack/sandbox*.test.ts"],
  },
  {
    name: "required-sandbox-is-there",
    area: "sandbox",
    lost: "A command would run without the sandbox that the configuration requires.",
    file: "src/safe/sandbox/sandbox-process.ts",
    find: 'if (mode !== "required")',
    replace: 'if (mode !== "off")',
    suites: ["unit"],
    tests: ["tests/unit/safe/sandbox/*.test.ts"],
  },
];

/**
 * Suites of `.ci/run`, with the names of their files: `x.test.ts` is run by `npm test`, `x.slow.test.ts` by
 * `npm run test:slow`.
 */
const endings = { unit: /\/[^./]+\.test\.ts$/, slow: /\.slow\.test\.ts$/, alone: /\.alone\.test\.ts$/ };
/** A run that takes longer has caught nothing. */
const runMs = 600_000;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    list: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
if (options.help) {
  console.log(`Usage: node scripts/break-guards.mjs [--only NAME ...] [--list] [--json]

Breaks ${guards.length} guards, one after the other, in copies of the working tree, and runs the tests that belong to each.
Exit code 1: a broken guard was not caught, or a test is red without a break.

  node scripts/break-guards.mjs                       all guards, and a table
  node scripts/break-guards.mjs --list                their names, and what would be lost
  node scripts/break-guards.mjs --only token-expires  one guard
  node scripts/break-guards.mjs --json > caught.json  also what the red tests said`);
  process.exit(0);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const chosen = choose(options.only);
if (options.list) {
  for (const { name, area, file, lost } of chosen) console.log(`${name} (${area}, ${file})\n    ${lost}`);
  process.exit(0);
}

const running = new Set();
let isStopped = false;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-guards-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, async () => {
    isStopped = true;
    await Promise.all([...running].map(end));
    process.exit(code);
  });

const tree = listTree();
const moved = chosen.flatMap(explainMoved);
if (moved.length > 0) fail(moved.join("\n"));
const startedAt = performance.now();
const copies = await Promise.all(["a", "b"].map((name) => copyTree(join(folder, name))));
const red = await runUnbroken(copies[0]);
const results = [];
const waiting = [...chosen];
// Two at a time: much of a run is starting and waiting.
await Promise.all(copies.map(breakNext));
results.sort((one, other) => chosen.indexOf(one.guard) - chosen.indexOf(other.guard));
report();

function choose(names) {
  const unknown = names?.find((name) => !guards.some((guard) => guard.name === name));
  if (unknown !== undefined)
    fail(`There is no guard "${unknown}". Names: ${guards.map(({ name }) => name).join(", ")}.`);
  return guards.filter(({ name }) => names === undefined || names.includes(name));
}

/** Returns what to do about a guard whose line or whose tests are not where the list says. */
function explainMoved({ name, file, find, tests, suites }) {
  const text = tree.includes(file) ? readFileSync(join(root, file), "utf8") : "";
  const times = text.split(find).length - 1;
  const problems = [];
  if (times !== 1)
    problems.push(
      `${name}: ${file} has this line ${times} times, not once: ${find}\n` +
        "    The guard moved. Find the line that does its work now, and change file, find and replace in scripts/break-guards.mjs.",
    );
  if (suites.every((suite) => filesOf({ tests, suites }, suite).length === 0))
    problems.push(
      `${name}: no file of ${suites.join(" or ")} fits ${tests.join(" or ")}\n` +
        "    Its tests moved. Name the files that test it now in scripts/break-guards.mjs.",
    );
  return problems;
}

/** All files that belong to the project, as they are now. */
function listTree() {
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(list.split("\0"))].filter((file) => file !== "" && existsSync(join(root, file)));
}

async function copyTree(copy) {
  for (const file of tree) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    await copyFile(join(root, file), join(copy, file));
  }
  linkPackages(join(root, "node_modules"), join(copy, "node_modules"));
  // Without a build the tests do not start. An empty one cannot hide a break.
  for (const file of ["dist/cli.js", "dist/hook/hook.cjs", "dist/console/index.html"]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), "");
  }
  return copy;
}

/**
 * A folder of its own with a link to each package. What is a link already (our workspaces, commands) is made anew, so
 * that it leads into the copy. One link for all would also share `node_modules/.cache`, where tests keep code that they
 * have built: the break would reach the working tree, or be hidden by what that has built.
 */
function linkPackages(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (name.startsWith("@") || name === ".bin") linkPackages(source, target);
    else if (entry.isDirectory() && !name.startsWith(".")) symlinkSync(source, target);
  }
}

/** Returns the files that are red without a break. They prove nothing, so they are left out. */
async function runUnbroken(copy) {
  const found = new Map();
  for (const suite of Object.keys(endings)) {
    const files = [...new Set(chosen.flatMap((guard) => filesOf(guard, suite)))];
    if (files.length === 0) continue;
    say(`${suite}: ${files.length} files without a break`);
    const { failed, unusable, broken } = await runTests(copy, suite, files, ["--maxWorkers=2"]);
    if (broken !== undefined && unusable.length === 0) fail(`The tests cannot be run: ${broken}`);
    for (const one of [...failed, ...unusable]) found.set(one.file, one);
  }
  return found;
}

function filesOf({ tests, suites }, suite) {
  if (!suites.includes(suite)) return [];
  const patterns = tests.map(toPattern);
  return tree.filter((file) => endings[suite].test(file) && patterns.some((pattern) => pattern.test(file)));
}

/** By hand, because Node 20 knows no globs. */
function toPattern(glob) {
  const escaped = glob.replaceAll(".", "\\.");
  return new RegExp(
    `^${escaped.replaceAll(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"))}$`,
  );
}

async function breakNext(copy) {
  for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift()) {
    const { file, find, replace } = guard;
    const path = join(copy, file);
    const text = readFileSync(path, "utf8");
    const from = performance.now();
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
    const caught = await findCatcher(guard, copy);
    writeFileSync(path, text);
    const seconds = (performance.now() - from) / 1_000;
    results.push({ guard, caught, seconds });
    say(`${results.length} of ${chosen.length}: ${guard.name}: ${describe(caught)}`);
  }
}

async function findCatcher(guard, copy) {
  let why = "no test turned red";
  for (const suite of guard.suites) {
    const files = filesOf(guard, suite).filter((file) => !red.has(file));
    if (files.length === 0) continue;
    const { failed, broken, skipped } = await runTests(copy, suite, files, ["--maxWorkers=1", "--bail=1"]);
    if (failed.length > 0) return { suite, ...failed[0] };
    if (broken !== undefined) why = `the run broke: ${broken}`;
    else if (skipped > 0) why = `no test turned red, and ${skipped} were skipped`;
  }
  return { why };
}

/**
 * Runs test files of one suite in a copy. `failed` are red tests, `unusable` are files that cannot be loaded or
 * prepared. `broken` says why a run failed without a red test, which shows nothing about a guard.
 */
async function runTests(copy, suite, files, flags) {
  await unlessStopped();
  const output = join(copy, "node_modules", ".cache", "break-guards.json");
  rmSync(output, { force: true });
  const { TOOLGATE_TESTS: _, ...env } = process.env;
  if (suite !== "unit") env.TOOLGATE_TESTS = suite;
  env.PATH = `${join(copy, "node_modules", ".bin")}:${env.PATH}`;
  const args = ["run", ...files, ...flags, "--reporter=json", `--outputFile=${output}`];
  // A group of its own: what it has started ends with it.
  const child = spawn("vitest", args, {
    cwd: copy,
    env,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let told = "";
  child.stderr.on("data", (bytes) => {
    told = `${told}${bytes}`.slice(-2_000);
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end(child);
  }, runMs);
  const [code] = await once(child, "close");
  await unlessStopped();
  clearTimeout(timer);
  running.delete(child);
  if (isLate)
    return { failed: [], unusable: [], skipped: 0, broken: `it took longer than ${runMs / 1_000} seconds` };
  const { testResults = [] } = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : {};
  const failed = [];
  const unusable = [];
  let skipped = 0;
  for (const { name, status, message, assertionResults } of testResults) {
    const file = name.slice(copy.length + 1);
    const ofFile = assertionResults.filter((test) => test.status === "failed");
    for (const { fullName, failureMessages } of ofFile)
      failed.push({ file, test: fullName, said: failureMessages.join("\n") });
    if (status === "failed" && ofFile.length === 0)
      unusable.push({ file, test: "the whole file", said: message });
    skipped += assertionResults.filter((test) => /^(?:skipped|pending)$/.test(test.status)).length;
  }
  const isBroken = code !== 0 && failed.length === 0;
  return { failed, unusable, skipped, ...(isBroken && { broken: whyBroken(unusable[0]?.said ?? told) }) };
}

/** Waits for good after a signal: the process is about to exit, and must neither start nor print anything. */
function unlessStopped() {
  return isStopped ? new Promise(() => {}) : undefined;
}

function whyBroken(told) {
  const lines = stripVTControlCharacters(told).split("\n");
  return (
    lines.find((line) => /error/i.test(line) && !line.includes("Unhandled"))?.trim() ?? "it gave no reason"
  );
}

async function end(child) {
  const stop = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself.
    }
  };
  stop("SIGTERM");
  await Promise.race([once(child, "close"), sleep(3_000)]);
  stop("SIGKILL");
}

function describe({ suite, file, test, why }) {
  return why === undefined ? `${suite}: ${file}: ${test}` : `not caught (${why})`;
}

function report() {
  const missed = results.filter(({ caught }) => caught.why !== undefined).length;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.exitCode = missed > 0 || red.size > 0 ? 1 : 0;
  if (options.json) {
    const shown = results.map(({ guard, caught, seconds }) => ({ ...guard, caught, seconds }));
    console.log(JSON.stringify({ seconds, red: [...red.values()], guards: shown }, null, 2));
    return;
  }
  const rows = results.map(({ guard, caught, seconds }) => [
    guard.name,
    guard.area,
    describe(caught),
    seconds.toFixed(1),
  ]);
  console.log(toTable([["guard", "area", "suite and test that turned red", "seconds"], ...rows]));
  for (const { file, test } of red.values()) console.log(`red without a break, left out: ${file}: ${test}`);
  console.log(`${results.length - missed} of ${results.length} broken guards were caught, ${seconds} s`);
}

function toTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join(" | ")
        .trimEnd(),
    )
    .join("\n");
}

/** Progress goes to standard error, so that standard output holds only the result. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(message) {
  console.log(message);
  process.exit(1);
}
