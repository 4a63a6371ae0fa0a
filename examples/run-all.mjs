/** Runs every numbered example in a process of its own; an example fails when it exits with anything but 0. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const longestMs = 60_000;
const folder = fileURLToPath(new URL(".", import.meta.url));
const examples = readdirSync(folder)
  .filter((name) => /^\d\d-/.test(name))
  .sort();

if (!existsSync(join(folder, "../dist/index.js"))) {
  console.error("The examples import the built package: run `npm run build` first.");
  process.exit(1);
}

let failed = 0;
for (const name of examples) {
  const startedAt = performance.now();
  const { ok, output } = await run(join(folder, name, "main.ts"));
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  console.log(`  ${ok ? "✓" : "✗"} ${name} (${took})`);
  if (ok) continue;
  failed++;
  console.log(output.replaceAll(/^/gm, "      "));
}
console.log(`${examples.length - failed} examples passed, ${failed} failed`);
// No examples at all would be a broken checkout that looks green.
process.exitCode = failed > 0 || examples.length === 0 ? 1 : 0;

function run(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"], timeout: longestMs });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code, signal) => {
      const end = signal === null ? "" : `stopped by ${signal} (the limit is ${longestMs} ms)`;
      resolve({ ok: code === 0, output: `${output}${end}` });
    });
  });
}
