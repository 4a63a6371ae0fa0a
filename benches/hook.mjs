// What one check costs as a process of its own, next to a Node that does nothing and to a script that reads the YAML each time.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bar, median, ratio, round3, table } from "./measure.mjs";

const hook = fileURLToPath(new URL("../dist/hook/hook.cjs", import.meta.url));
const fastHook = fileURLToPath(new URL("../dist/hook/hook.sh", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const script = fileURLToPath(new URL("hook/check_routes.py", import.meta.url));
const rounds = 41;
const sizes = [10, 100, 1_000, 10_000];
/** With so many routes one run of the script takes as long as all others together. */
const largestForPython = 1_000;
/** Files of rules may have 1 MiB. */
const routesPerFile = 1_000;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-hook-"));
  const server = await startServer(folder);
  try {
    return measureAll(folder);
  } finally {
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureAll(folder) {
  const subjects = [{ name: "node -e 0", command: [process.execPath, "-e", "0"], env: {}, code: 0 }];
  for (const count of sizes) subjects.push(...hookSubjects(folder, count));
  subjects.push(...policySubjects(folder), ...fastSubjects(folder));
  const python = findPython();
  if (python.ok)
    for (const count of sizes.filter((one) => one <= largestForPython))
      subjects.push(...pythonSubjects(folder, count));
  else console.log(`1 skipped: the Python script (${python.why}; Debian: apt-get install python3-yaml)\n`);
  const cold = firstRuns(subjects);
  for (const subject of subjects) Object.assign(subject, { wallMs: [], cpuUs: [] });
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\rround ${round + 1} of ${rounds} `);
    for (const subject of shuffled(subjects)) {
      if (subject.rare && round % 10 !== 0) continue;
      const { wallMs, cpuMs } = runOnce(subject);
      subject.wallMs.push(wallMs);
      // The name under which ratio() looks; whole milliseconds are enough for processes.
      subject.cpuUs.push(cpuMs);
    }
  }
  process.stderr.write("\r");
  return report(subjects, cold);
}

function report(subjects, cold) {
  const [base] = subjects;
  const rows = subjects.map(({ name, wallMs, cpuUs }) => ({
    name,
    wallMs: round3(median(wallMs)),
    cpuMs: round3(median(cpuUs)),
    ratio: round3(wallRatio({ wallMs }, base).value),
    coldMs: cold.get(name),
  }));
  const lines = rows.map((row) => [
    row.name,
    `${row.wallMs}`,
    `${row.ratio}`,
    `${row.cpuMs}`,
    `${row.coldMs}`,
  ]);
  console.log(table(["one process", "p50 ms", "x node -e 0", "cpu ms", "first run ms"], lines));
  const named = new Map(subjects.map((subject) => [subject.name, subject]));
  const bars = sizes.flatMap((count) =>
    ["passes", "is blocked"].map((end) => {
      const name = `hook, ${count} routes, ${end}`;
      return bar(`${name} / node -e 0`, wallRatio(named.get(name), base), count <= 100 ? 1.3 : 1.5);
    }),
  );
  for (const end of ["passes", "is blocked"]) {
    const name = `server asked by bash, ${fastRoutes} routes, ${end}`;
    bars.push(bar(`${name} / node -e 0`, wallRatio(named.get(name), base), 0.2));
  }
  const slow = named.get("python, 1000 routes");
  if (slow !== undefined) {
    const fast = named.get("hook, 1000 routes, passes");
    const share = median(fast.wallMs) / median(slow.wallMs);
    bars.push(bar("hook, 1000 routes / the Python script", { value: share, low: share, high: share }, 0.05));
  }
  console.log("");
  for (const { bar: name, value, max, ok } of bars)
    console.log(`${ok ? "held  " : "MISSED"}  ${name}: ${value} (at most ${max})`);
  return { rows, bars };
}

/** Rounds in which both ran. */
function wallRatio({ wallMs }, base) {
  const every = wallMs.length === base.wallMs.length ? 1 : 10;
  return ratio({ cpuUs: wallMs }, { cpuUs: base.wallMs.filter((_, round) => round % every === 0) });
}

function hookSubjects(folder, count) {
  const env = world(folder, `hook-${count}`, writeRoutes(folder, count));
  const command = [process.execPath, hook];
  return [
    {
      name: `hook, ${count} routes, passes`,
      command,
      env,
      code: 0,
      call: webFetch("https://docs.example.org/guide/start"),
    },
    {
      name: `hook, ${count} routes, is blocked`,
      command,
      env,
      code: 2,
      call: webFetch(`https://host${count / 2 - 1}.example.com/acme/items/42`),
    },
  ];
}

/** Judging what a command line does needs the shell's grammar, which the others do not load. */
function policySubjects(folder) {
  const env = world(folder, "policies", "", policies);
  const command = [process.execPath, hook];
  return [
    {
      name: "hook, policies on commands, passes",
      command,
      env,
      code: 0,
      call: bash("git status && npm test | head -5"),
    },
    {
      name: "hook, policies on commands, is blocked",
      command,
      env,
      code: 2,
      call: bash("sudo env X=1 rm -rf build"),
    },
  ];
}

/** The same check by `toolgate serve`, recorded in its ledger; the script has no Node to fall back to. */
function fastSubjects(folder) {
  const env = { HOME: join(folder, "served"), TOOLGATE_ROUTES: writeRoutes(folder, fastRoutes) };
  // By its full name, as it is installed; the shell that reads the line is the agent's, and is not measured.
  const command = [fastHook, "claude-code", "/no/node", "30"];
  const urls = {
    passes: [0, "https://docs.example.org/guide/start"],
    "is blocked": [2, `https://host${fastRoutes / 2 - 1}.example.com/acme/items/42`],
  };
  return [
    ...Object.entries(urls).map(([end, [code, url]]) => ({
      name: `server asked by bash, ${fastRoutes} routes, ${end}`,
      command,
      env,
      code,
      call: webFetch(url),
      // A server lives for days; one that has just been started has compiled little of its code.
      warmUp: 200,
    })),
    { name: "bash -p -c :", command: ["bash", "-p", "-c", ":"], env: {}, code: 0 },
  ];
}

const fastRoutes = 100;

async function startServer(folder) {
  const { HOME } = world(folder, "served", "");
  const child = spawn(process.execPath, [cli, "serve", "--port", "0"], {
    env: { PATH: process.env.PATH, HOME },
    cwd: HOME,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const deadline = Date.now() + 60_000;
  while (!existsSync(join(HOME, ".local/state/toolgate/hook.addr"))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("toolgate serve did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    end: () => {
      child.kill("SIGKILL");
      return ended;
    },
  };
}

function pythonSubjects(folder, count) {
  const env = { TOOLGATE_ROUTES: writeRoutes(folder, count) };
  const call = webFetch("https://docs.example.org/guide/start");
  return [
    {
      name: `python, ${count} routes`,
      command: ["python3", script],
      env,
      code: 0,
      call,
      rare: count >= 1_000,
    },
  ];
}

function world(folder, name, routes, config = "") {
  const home = join(folder, name);
  mkdirSync(join(home, ".config", "toolgate"), { recursive: true });
  writeFileSync(join(home, ".config", "toolgate", "config.yaml"), config);
  if (routes === "") return { HOME: home };
  // As much as this is read only from files that somebody has looked at.
  execFileSync(process.execPath, [cli, "trust", "--yes", ...routes.split(":")], {
    env: { PATH: process.env.PATH, HOME: home, TOOLGATE_ROUTES: routes },
    cwd: home,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { HOME: home, TOOLGATE_ROUTES: routes };
}

const policies = `policies:
  no-removal: { tools: Bash, action: deny, conditions: [{ type: command, operator: startsWith, value: [rm -rf, git push --force] }] }
  no-secrets: { tools: '*', action: deny, conditions: [{ type: path, operator: matches, value: '(^|/)\\.env$' }] }
`;

/** As real ones look: half about addresses, half about commands, some with look-ahead, each with its message and two tests. */
function writeRoutes(folder, count) {
  const files = [];
  for (let from = 0; from < count; from += routesPerFile) {
    const file = join(folder, `routes-${count}-${from}.yaml`);
    const lines = ["routes:"];
    for (let index = from; index < Math.min(count, from + routesPerFile); index++)
      lines.push(...route(Math.floor(index / 2), index % 2));
    writeFileSync(file, `${lines.join("\n")}\n`);
    files.push(file);
  }
  return files.join(":");
}

function route(number, isCommand) {
  const ahead = number % 10 === 9 && isCommand ? "(?!.*--dry-run)" : "";
  const pattern = isCommand
    ? `\\btool${number}\\s+(?:deploy|publish)\\b${ahead}`
    : `https?://host${number}\\.example\\.com/[^/]+/items/\\d+`;
  const tool = isCommand ? "Bash" : "WebFetch";
  const [bad, good] = isCommand
    ? [`command: 'tool${number} deploy --all'`, `command: 'tool${number} status'`]
    : [
        `url: 'https://host${number}.example.com/acme/items/42'`,
        `url: 'https://host${number}.example.com/acme'`,
      ];
  return [
    `  ${isCommand ? "command" : "page"}-${number}:`,
    `    tool: ${tool}`,
    `    pattern: '${pattern}'`,
    "    message: |",
    `      Use the tool for items of host ${number} instead.`,
    "",
    "      It is logged in and answers with structured data.",
    "    tests:",
    "      - desc: an item should block",
    `        input: { tool_name: ${tool}, tool_input: { ${bad} } }`,
    "        expect: block",
    "        contains: tool for items",
    "      - desc: anything else should allow",
    `        input: { tool_name: ${tool}, tool_input: { ${good} } }`,
    "        expect: allow",
  ];
}

function webFetch(url) {
  return JSON.stringify({ tool_name: "WebFetch", tool_input: { url } });
}

function bash(command) {
  return JSON.stringify({ tool_name: "Bash", tool_input: { command } });
}

/** The first run compiles the rules, the second the code; from then on it is as fast as it gets. */
function firstRuns(subjects) {
  return new Map(
    subjects.map((subject) => {
      const { wallMs } = runOnce(subject);
      if (!subject.rare) for (let again = 0; again < (subject.warmUp ?? 3); again++) runOnce(subject);
      return [subject.name, Math.round(wallMs)];
    }),
  );
}

/** Timed by bash, so that neither starting bash nor our own event loop counts; `time` alone knows only whole milliseconds. */
const timed =
  'TIMEFORMAT="%U %S"; s=$EPOCHREALTIME; { time "$@" < "$CALL_FILE" > /dev/null 2> /dev/null; }; c=$?; e=$EPOCHREALTIME; echo "$s $e $c" >&2';

function runOnce({ name, command, env, code, call = "" }) {
  const callFile = join(tmpdir(), `toolgate-bench-call-${process.pid}.json`);
  writeFileSync(callFile, call);
  // Nothing of this machine: NODE_EXTRA_CA_CERTS alone can double the start of a Node.
  const { PATH } = process.env;
  const { stderr } = spawnSync("bash", ["-c", timed, "bash", ...command], {
    env: { PATH, HOME: tmpdir(), CALL_FILE: callFile, ...env },
    cwd: tmpdir(),
    encoding: "utf8",
  });
  rmSync(callFile);
  const [used = "", times = ""] = stderr.trim().split("\n");
  const [start, end, ended] = times.split(" ").map(Number);
  // A fast wrong answer is no answer.
  if (ended !== code) throw new Error(`${name} ended with ${ended} instead of ${code}: ${stderr}`);
  const [user, system] = used.split(" ").map(Number);
  return { wallMs: (end - start) * 1_000, cpuMs: (user + system) * 1_000 };
}

function findPython() {
  try {
    execFileSync("python3", ["-c", "import yaml"], { stdio: "pipe" });
    return { ok: true };
  } catch (error) {
    return {
      ok: false,
      why: error.code === "ENOENT" ? "python3 is not installed" : "PyYAML is not installed",
    };
  }
}

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
