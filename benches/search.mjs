// What search.grep costs through the gate next to ripgrep itself, over a tree of 50,000 files; and that its memory stays flat.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { bar, median, round3, table } from "./measure.mjs";

const folders = 1_000;
const filesInFolder = 50;
const rounds = 9;
const maxRatio = 1.5;
/** What a search may add to the memory of the process, in MB. */
const maxGrowth = 64;

const questions = [
  { name: "one line in the tree", input: { pattern: "needleInTheHay" } },
  { name: "a pattern in some files", input: { pattern: "\\bneedle[A-Z]\\w+ = \\d{3,}" } },
  { name: "ignoring case", input: { pattern: "NEEDLEINTHEHAY", ignoreCase: true } },
  { name: "nothing to find", input: { pattern: "notInAnyFileOfTheTree" } },
  { name: "in every file", input: { pattern: "const value" } },
  { name: "only some files", input: { pattern: "needleInTheHay", glob: "*.md" } },
];

/** Only a catalogue needs a tokenizer. */
export const needsPeersForFiles = true;

/** With a catalogue of tools it is the search for tools that is measured. */
export async function run({ files = [] } = {}) {
  if (files.length > 0) return (await import("./search/catalogue.mjs")).run(files);
  const { createGate } = await import("../dist/index.js");
  const { createGrep } = await import("../dist/sources/builtin/search/grep.js");
  const root = mkdtempSync(join(tmpdir(), "toolgate-bench-search-"));
  try {
    console.log(`Writing ${folders * filesInFolder} files ...`);
    writeTree(root);
    const gates = {
      ripgrep: await createGate({ tools: [createGrep()], roots: [root] }),
      library: await createGate({
        tools: [createGrep({ findProgram: async () => undefined })],
        roots: [root],
      }),
    };
    return await measureAll(root, gates);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measureAll(root, gates) {
  const rows = [];
  const bars = [];
  for (const { name, input } of questions) {
    await check(gates, input);
    const times = { alone: [], gate: [], library: [] };
    for (let round = 0; round < rounds; round++) {
      times.alone.push(await timed(() => ripgrepAlone(root, input)));
      times.gate.push(await timed(() => search(gates.ripgrep, input)));
      if (round === 0) times.library.push(await timed(() => search(gates.library, input)));
    }
    const ratios = times.gate.map((ms, round) => ms / times.alone[round]).sort((a, b) => a - b);
    const at = (share) => ratios[Math.round((ratios.length - 1) * share)];
    const ratio = { value: at(0.5), low: at(0.25), high: at(0.75) };
    rows.push({
      question: name,
      ripgrepMs: round3(median(times.alone)),
      gateMs: round3(median(times.gate)),
      ratio: round3(ratio.value),
      libraryMs: round3(median(times.library)),
    });
    bars.push(bar(`search.grep next to ripgrep itself, ${name}`, ratio, maxRatio));
  }
  bars.push(await memoryBar(gates), await cancelBar(gates));
  console.log(
    table(
      ["question", "ripgrep ms", "gate ms", "ratio", "bar", "without ripgrep ms"],
      rows.map((row) => [
        row.question,
        String(row.ripgrepMs),
        String(row.gateMs),
        String(row.ratio),
        `<= ${maxRatio}`,
        String(row.libraryMs),
      ]),
    ),
  );
  for (const { bar: name, value, max } of bars.slice(-2)) console.log(`${name}: ${value} (at most ${max})`);
  return { rows, bars };
}

/** The memory that many searches leave and take, the one with the most matches included. */
async function memoryBar({ ripgrep, library }) {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  for (const gate of [ripgrep, library]) {
    for (const { input } of questions) await search(gate, { ...input, mode: "files", limit: 1_000 });
  }
  clearInterval(watch);
  const grown = Math.max(0, most - before) / 1024 / 1024;
  return bar("memory added by twelve searches, MB", { value: grown, low: grown, high: grown }, maxGrowth);
}

/** From the moment of cancelling to the answer. */
async function cancelBar({ ripgrep, library }) {
  let worst = 0;
  for (const gate of [ripgrep, library]) {
    const controller = new AbortController();
    const running = gate.dispatch({
      tool: "search.grep",
      input: { pattern: "notInAnyFileOfTheTree" },
      signal: controller.signal,
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    controller.abort();
    await running;
    worst = Math.max(worst, performance.now() - started);
  }
  return bar("answer after cancelling, ms", { value: worst, low: worst, high: worst }, 100);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function search(gate, input) {
  const outcome = await gate.dispatch({ tool: "search.grep", input });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
}

/** Both must find the same before anything is measured. */
async function check({ ripgrep, library }, input) {
  const [one, other] = [await search(ripgrep, input), await search(library, input)];
  if (JSON.stringify(one) !== JSON.stringify(other))
    throw new Error(`Different results for ${JSON.stringify(input)}`);
}

function ripgrepAlone(root, { pattern, ignoreCase, glob }) {
  const args = ["--no-config", "--hidden", "--glob=!.git", "--line-number", "--color=never"];
  if (ignoreCase) args.push("--ignore-case");
  if (glob) args.push(`--glob=${glob}`);
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, [...args, `--regexp=${pattern}`, "."], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", resolve);
  });
}

function writeTree(root) {
  let seed = 42;
  const random = (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const words =
    "await route policy limit approve gate token user path file index result type class import export".split(
      " ",
    );
  const line = () => `  ${Array.from({ length: 5 }, () => words[random(words.length)]).join("_")}();`;
  writeFileSync(join(root, ".gitignore"), "node_modules/\ndist/\n*.log\n");
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, `package-${folder % 40}`, "src", `module-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesInFolder; file++) {
      const lines = Array.from({ length: 10 + random(60) }, line);
      lines.push(`const value = ${file};`);
      if (random(200) === 0) lines.push(`needle${"ABCDEFGH"[random(8)]}x = ${random(1_000)};`);
      if (folder === 500 && file === 7) lines.push("needleInTheHay");
      writeFileSync(join(path, `file-${file}.${file % 10 === 7 ? "md" : "ts"}`), `${lines.join("\n")}\n`);
    }
  }
}
