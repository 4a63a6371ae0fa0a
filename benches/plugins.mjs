// Loading plugin files: a thousand of them at once, again without a change, and after a change of one.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGate } from "../dist/index.js";
import { readTextFile } from "../dist/safe/files/documents/read-text-file.js";
import { PluginSet } from "../dist/sources/plugins/plugin-set.js";
import { median, table } from "./measure.mjs";

const files = 1_000;
const rounds = 5;
const maxMs = 1_000;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-plugins-"));
  try {
    for (let index = 0; index < files; index++) write(folder, index, "first");
    const rows = [];
    for (const step of ["all files, cold", "all files changed", "one file changed", "no file changed"])
      rows.push({ name: step, ms: [], cpuMs: [], reads: 0 });
    for (let round = 0; round < rounds; round++) await once(folder, round, rows);
    console.log(
      table(
        [`${files} files, ${files * 2} tools`, "wall ms", "CPU ms", "files read"],
        rows.map(({ name, ms, cpuMs, reads }) => [
          name,
          median(ms).toFixed(0),
          median(cpuMs).toFixed(0),
          String(reads),
        ]),
      ),
    );
    return {
      rows: rows.map(({ name, ms, cpuMs, reads }) => ({ name, ms: median(ms), cpuMs: median(cpuMs), reads })),
      bars: rows.map(({ name, cpuMs }) => ({
        bar: `${name} (CPU ms)`,
        value: Math.round(median(cpuMs)),
        max: maxMs,
        ok: median(cpuMs) <= maxMs,
      })),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function once(folder, round, [cold, all, one, none]) {
  const gate = await createGate();
  let reads = 0;
  const plugins = new PluginSet({
    host: gate.tools,
    env: {},
    folders: () => [{ path: folder, gradeOf: () => "trusted" }],
    readFile: (file) => {
      reads++;
      return readTextFile(file);
    },
  });
  const timed = async (row) => {
    // Younger files would be read again, to be sure.
    await sleep(100);
    reads = 0;
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const { toolCount, errors } = await plugins.reload();
    row.ms.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    row.cpuMs.push((user + system) / 1_000);
    row.reads = reads;
    if (toolCount !== files * 2 || errors.length > 0)
      throw new Error(`${toolCount} tools, ${errors.length} errors: ${JSON.stringify(errors[0])}`);
  };
  await timed(cold);
  for (let index = 0; index < files; index++) write(folder, index, `round ${round}`);
  await timed(all);
  write(folder, 7, `only this one, round ${round}`);
  await timed(one);
  utimesSync(folder, new Date(), new Date());
  await timed(none);
  plugins.close();
  await gate.close();
}

function write(folder, index, note) {
  const plugin = {
    name: `plugin-${index}`,
    version: "1.0.0",
    tools: [
      {
        name: `search_${index}`,
        description: `Searches files for a pattern (${note}).`,
        inputSchema: {
          type: "object",
          properties: { pattern: { type: "string" }, directory: { type: "string", default: "." } },
          required: ["pattern"],
        },
        handler: { type: "shell", command: "grep -rn '{{pattern}}' {{directory}} || true" },
      },
      {
        name: `health_${index}`,
        description: `Asks a service how it is (${note}).`,
        inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
        handler: { type: "http", url: "{{url}}/health", method: "GET" },
      },
    ],
  };
  writeFileSync(join(folder, `plugin-${index}.json`), `${JSON.stringify(plugin, undefined, 2)}\n`);
}
