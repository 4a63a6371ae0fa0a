// `npm run bench`: finds a benchmark by its name, makes sure that what it needs is there, runs it, judges its bars.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const project = join(here, "..");
const notBenches = new Set(["run", "measure"]);

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const names = listBenches();
  let options;
  try {
    options = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        "no-build": { type: "boolean" },
        quick: { type: "boolean" },
        only: { type: "string" },
      },
    });
  } catch (error) {
    // Only its first sentence: the rest is about a syntax that is not used here.
    return wrongUse(`${error.message.split(". ")[0]}.`);
  }
  const { values, positionals } = options;
  if (values.help) {
    console.log(help(names));
    return 0;
  }
  const files = positionals.filter((given) => given.endsWith(".json"));
  const wanted = positionals.filter((given) => !given.endsWith(".json"));
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    return wrongUse(`There is no benchmark "${unknown}". There are: ${names.join(", ")}.`);
  if (files.length > 0 && (wanted.length !== 1 || wanted[0] !== "search"))
    return wrongUse(`Only search takes a file: npm run bench -- search ${files[0]}.`);
  if (!values["no-build"] && !build()) return 1;
  const chosen = wanted.length > 0 ? wanted : names;
  if (chosen.length === 1) return runOne(chosen[0], { ...values, files });
  // Each in its own process: what one leaves in the heap and the compiler must not weigh on the next.
  let worst = 0;
  for (const name of chosen) {
    if (!values.json) console.log(`== ${name}`);
    const again = [join(here, "run.mjs"), name, "--no-build", ...passedOn(values)];
    worst = Math.max(worst, spawnSync(process.execPath, again, { stdio: "inherit" }).status ?? 1);
    if (!values.json) console.log("");
  }
  return worst;
}

function passedOn({ json, quick }) {
  return [...(json ? ["--json"] : []), ...(quick ? ["--quick"] : [])];
}

/** A benchmark prints for people itself and returns its rows, or `{ rows, bars }`. */
async function runOne(name, { json = false, quick = false, only, files }) {
  const bench = await import(new URL(`${name}.mjs`, import.meta.url));
  const needsPeers = bench.needsPeers === true || (bench.needsPeersForFiles === true && files.length > 0);
  if (needsPeers && !installPeers()) return 1;
  const print = console.log;
  if (json) console.log = console.error;
  let returned;
  try {
    returned = await bench.run({ quick, only, files });
  } catch (error) {
    if (error.code !== "WRONG_USE") throw error;
    return wrongUse(error.message);
  } finally {
    console.log = print;
  }
  const { rows = [], bars = [] } = Array.isArray(returned) ? { rows: returned } : (returned ?? {});
  if (json) for (const line of [...rows, ...bars]) console.log(JSON.stringify({ bench: name, ...line }));
  const missed = bars.filter(({ ok }) => !ok);
  for (const { bar, value, max } of missed)
    console.error(`Bar missed in ${name}: ${bar}: ${value}, allowed is at most ${max}.`);
  return missed.length > 0 ? 1 : 0;
}

function listBenches() {
  const files = readdirSync(here).filter((file) => file.endsWith(".mjs"));
  return files.map((file) => file.slice(0, -".mjs".length)).filter((name) => !notBenches.has(name));
}

/** What is measured is the built package, as users get it; built again only when a source is newer. */
function build() {
  const built = join(project, "dist", "index.js");
  const sources = readdirSync(join(project, "src"), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  );
  const newest = Math.max(...sources.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return true;
  console.error("Building the package (npm run build) ...");
  if (npm(["run", "--silent", "build"], project)) return true;
  console.error("The build failed, so there is nothing to measure. Repair it and run again.");
  return false;
}

function installPeers() {
  const lock = createHash("sha256")
    .update(readFileSync(join(here, "package-lock.json")))
    .digest("hex");
  const stamp = join(here, "node_modules", ".installed-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return true;
  console.error("Installing what toolgate is compared with (npm ci in benches/, about 400 MB, once) ...");
  const startedAt = performance.now();
  // No install scripts: nothing of the peers needs to be built, and nothing of theirs should run unasked.
  if (!npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], here)) {
    console.error(
      "npm ci failed in benches/. Check that the package registry can be reached, then run again.",
    );
    return false;
  }
  writeFileSync(stamp, lock);
  console.error(`Installed in ${Math.round((performance.now() - startedAt) / 1_000)} s.`);
  return true;
}

/** Output goes to stderr: stdout is for results only. */
function npm(args, cwd) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith("js") ? [process.execPath, [cli]] : ["npm", []];
  return spawnSync(command, [...first, ...args], { cwd, stdio: ["ignore", 2, 2] }).status === 0;
}

function wrongUse(message) {
  console.error(`${message} Try: npm run bench -- --help`);
  return 2;
}

function help(names) {
  return `Usage: npm run bench -- [name ...] [options]

Benchmarks: ${names.join(", ")}. Without a name all of them run, each in its own process.

Options
  --json      one JSON object per line on stdout (rows, then bars); all other text goes to stderr
  --no-build  measure dist/ as it is, even if a source is newer
  --quick     fewer rounds, where a benchmark has such a mode (gateway): to try it, not to judge
  --only A,B  only these, where a benchmark compares many (gateway)
  --help      this text

Examples
  npm run bench                      all benchmarks
  npm run bench -- walk              one of them
  npm run bench -- search tools.json search mode over a catalogue of tools
  npm run --silent bench -- walk --json > walk.jsonl

Exit code: 0 all bars held, 1 a bar was missed or something failed, 2 wrong use.
How to read the numbers: benches/README.md`;
}
