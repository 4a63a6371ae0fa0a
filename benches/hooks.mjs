// What a hook that is a program costs a call: one process next to a bare start of the same program, and a daemon.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bar, median, ratio, round3, table } from "./measure.mjs";

const rounds = 20;
/** Of each in a round, in turns with the others; of these the fastest counts, because what else the machine does only ever adds. */
const callsPerRound = 12;
/** The daemon's are many and short: their median counts. */
const daemonCallsPerRound = 50;

/** Programs as people write them, from the smallest to the slowest to start. */
const programs = {
  "sh, a few lines": ["sh", "guard.sh"],
  "bash, a few lines": ["bash", "guard.sh"],
  "node, a few lines": [process.execPath, "guard.cjs"],
};

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-hooks-"));
  const gates = [];
  try {
    writeFileSync(
      join(folder, "guard.sh"),
      'read -r call\ncase $call in *forbidden*) exit 2 ;; esac\necho "{}"\n',
    );
    writeFileSync(join(folder, "guard.cjs"), 'require("fs").readFileSync(0);\nconsole.log("{}");\n');
    writeFileSync(join(folder, "daemon.cjs"), daemon);
    return await measureAll(folder, gates);
  } finally {
    for (const gate of gates) await gate.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(folder, gates) {
  const { createGate, defineTool } = await import("../dist/index.js");
  const tool = defineTool({
    id: "x.run",
    description: "Answers.",
    permission: "read",
    input: { type: "object" },
    run: () => "done",
  });
  const gateOf = async (hook) => {
    const hooks = [{ name: "guard", type: "PreToolUse", ...hook }];
    const gate = await createGate({ tools: [tool], roots: [folder], hooks });
    gates.push(gate);
    return async () => {
      const outcome = await gate.dispatch({ tool: "x.run", input });
      if (!outcome.ok) throw new Error(`The call did not pass: ${outcome.error.message}`);
    };
  };
  const subjects = [];
  for (const [name, command] of Object.entries(programs)) {
    subjects.push({ name: `bare start: ${name}`, call: () => bareStart(command, folder) });
    subjects.push({ name: `hook: ${name}`, call: await gateOf({ command }) });
  }
  const stays = {
    name: "daemon, node",
    call: await gateOf({ mode: "daemon", command: [process.execPath, "daemon.cjs"] }),
  };
  for (const subject of [...subjects, stays]) {
    subject.ms = [];
    for (let index = 0; index < 5; index++) await subject.call();
  }
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`\rround ${round + 1} of ${rounds} `);
    const took = subjects.map(() => []);
    for (let turn = 0; turn < callsPerRound; turn++)
      for (const [index, { call }] of subjects.entries()) took[index].push(await time(call));
    for (const [index, { ms }] of subjects.entries()) ms.push(Math.min(...took[index]));
    const answers = [];
    for (let turn = 0; turn < daemonCallsPerRound; turn++) answers.push(await time(stays.call));
    stays.ms.push(median(answers));
  }
  process.stderr.write("\r");
  return report([...subjects, stays]);
}

async function time(call) {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function report(subjects) {
  const named = new Map(subjects.map((subject) => [subject.name, subject]));
  const against = (name) =>
    ratio({ cpuUs: named.get(`hook: ${name}`).ms }, { cpuUs: named.get(`bare start: ${name}`).ms });
  const rows = subjects.map(({ name, ms }) => ({ name, ms: round3(median(ms)) }));
  console.log(
    table(
      ["one call", "ms"],
      rows.map(({ name, ms }) => [name, `${ms}`]),
    ),
  );
  const bars = Object.keys(programs).map((name) => bar(`hook / bare start: ${name}`, against(name), 1.3));
  const daemonMs = median(named.get("daemon, node").ms);
  bars.push(bar("daemon hook, ms", { value: daemonMs, low: daemonMs, high: daemonMs }, 1));
  console.log("");
  for (const { bar: name, value, max, ok } of bars)
    console.log(`${ok ? "held  " : "MISSED"}  ${name}: ${value} (at most ${max})`);
  return { rows, bars };
}

const input = { command: "git status", description: "What changed?" };
const told = `${JSON.stringify({ preToolUse: { toolName: "x.run", parameters: input } })}\n`;

/** The least that anybody can do: start it, write to it, collect what it prints, wait for its end. */
function bareStart([command, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: "pipe" });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    child.stderr.on("data", () => {});
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 && printed === "{}\n" ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
    child.stdin.end(told);
  });
}

const daemon = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + "\\n");
});
`;
