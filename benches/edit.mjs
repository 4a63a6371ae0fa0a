// What an edit costs in a file of 10,000 lines: finding the place on each rung of the ladder, and a whole call through the gate.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, round3, table } from "./measure.mjs";

const runs = 25;
const maxMs = 50;

export async function run() {
  const { applyEdits } = await import("../dist/sources/builtin/editing/match/apply-edits.js");
  const { createEditingTools } = await import("../dist/sources/builtin/editing/editing-tools.js");
  const { createGate } = await import("../dist/index.js");

  const lines = Array.from({ length: 10_000 }, (_, n) =>
    n % 7 === 0
      ? ""
      : `${"  ".repeat(n % 5)}const value${n} = compute(“item ${n}”, ${n * 3}); // ${n % 100}  `,
  );
  const text = `${lines.join("\n")}\n`;
  const block = lines.slice(7_001, 7_007);
  const changed = (some) => some.with(2, `${some[2]} // changed`);
  const write = {
    exact: (line) => line,
    "trim-end": (line) => line.trimEnd(),
    "re-indented": (line) => (line === "" ? "" : `  ${line}`),
    unicode: (line) => line.replace(/[“”]/g, '"'),
    fuzzy: (line, n) => (n === 4 ? line.replace("compute", "compote") : line),
  };
  const subjects = Object.entries(write).map(([rung, as]) => {
    const sought = block.map(as);
    const edit = { oldText: sought.join("\n"), newText: changed(sought).join("\n") };
    const made = applyEdits(text, [edit]);
    if (!made.ok || made.applied[0].rung !== rung)
      throw new Error(`${rung}: ${JSON.stringify(made).slice(0, 300)}`);
    return { name: `find and splice, ${rung}`, call: async () => applyEdits(text, [edit]) };
  });
  const missing = { oldText: "nothing like this\nstands in the file\nanywhere at all", newText: "x" };
  subjects.push({ name: "find and splice, no match", call: async () => applyEdits(text, [missing]) });

  const base = mkdtempSync(join(tmpdir(), "toolgate-bench-edit-"));
  const root = join(base, "root");
  mkdirSync(root);
  try {
    const { tools } = createEditingTools({ stateFolder: join(base, "state") });
    const gate = await createGate({
      tools,
      roots: [root],
      enable: { enabledCategories: ["editing"] },
      policies: [{ name: "yes", tools: "*", action: "approve" }],
    });
    const file = join(root, "a.ts");
    for (const rung of ["exact", "re-indented"]) {
      const sought = block.map(write[rung]);
      const input = { path: "a.ts", old_string: sought.join("\n"), new_string: changed(sought).join("\n") };
      subjects.push({
        name: `fs.edit through the gate, ${rung}`,
        before: () => writeFileSync(file, text),
        call: async () => {
          const outcome = await gate.dispatch({ tool: "fs.edit", input, cwd: root });
          if (!outcome.ok) throw new Error(outcome.error.message);
        },
        bar: true,
      });
    }
    const rows = [];
    for (const { name, call, before = () => {}, bar } of subjects) {
      const times = [];
      const cpu = [];
      for (let index = 0; index < runs; index++) {
        before();
        const used = process.cpuUsage();
        const start = performance.now();
        await call();
        times.push(performance.now() - start);
        const { user, system } = process.cpuUsage(used);
        cpu.push((user + system) / 1_000);
      }
      rows.push({
        name,
        cpuMs: round3(median(cpu)),
        highCpuMs: round3(Math.max(...cpu)),
        medianMs: round3(median(times)),
        worstMs: round3(Math.max(...times)),
        bar,
      });
    }
    await gate.close();
    console.log(
      `A file of ${lines.length} lines, ${Math.round(text.length / 1024)} KB; ${runs} runs each.\n`,
    );
    const cells = rows.map((row) => [row.name, `${row.cpuMs}`, `${row.medianMs}`, `${row.worstMs}`]);
    console.log(table(["edit", "CPU ms", "wall ms", "worst wall ms"], cells));
    const bars = rows
      .filter(({ bar }) => bar)
      .map(({ name, cpuMs, highCpuMs }) => ({
        bar: `${name}, 10,000 lines, CPU milliseconds`,
        value: cpuMs,
        low: cpuMs,
        high: highCpuMs,
        max: maxMs,
        ok: cpuMs <= maxMs,
      }));
    return { rows: rows.map(({ bar: _, ...row }) => row), bars };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
