// The cost of judging a command line, next to the cost of parsing it: `node benches/shell.mjs`.

import { pathToFileURL } from "node:url";
import { forEachChild, parse } from "unbash";

const LINES = [
  "ls -la",
  "npm test",
  "git status",
  "cat a.txt | head -5 | sort",
  "cd src && git log --oneline",
  'find . -name "*.ts" | head',
  'git commit -m "a && b | c"',
  "grep -rn 'a|b' src | head -20",
  "sed -n '1,5p' file",
  "awk '{print $1}' data",
  "npx tsc --noEmit 2>&1 | tail -5",
  'for f in *; do echo "$f"; done',
  "cd packages/core && npm run build && npm test -- --run 2>&1 | tail -20",
];

const ROUNDS = 201;
const BATCH = 50;

/** Prints and returns one row per line: median nanoseconds for parse, parse and walk, and judge, taken in turns. */
export async function run() {
  const { judgeCommand } = await import("../src/shell/judge.ts");
  const context = { cwd: "/work", home: "/home/user" };
  const walk = (node) => forEachChild(node, walk);
  const subjects = [
    (line) => parse(line),
    (line) => walk(parse(line)),
    (line) => judgeCommand(line, context),
  ];
  for (let i = 0; i < 3_000; i++) for (const line of LINES) for (const subject of subjects) subject(line);

  const rows = LINES.map((line) => {
    const times = subjects.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      subjects.forEach((subject, k) => {
        const start = process.hrtime.bigint();
        for (let i = 0; i < BATCH; i++) subject(line);
        times[k].push(Number(process.hrtime.bigint() - start) / BATCH);
      });
    }
    const [parseNs, walkNs, judgeNs] = times.map(median);
    // By round, so that a busy moment of the machine counts for both.
    const ratio = median(times[2].map((judge, round) => judge / times[0][round]));
    return { line, parseNs, walkNs, judgeNs, ratio };
  });
  const all = median(rows.map((row) => row.ratio));
  for (const row of rows) {
    console.log(
      `${row.ratio.toFixed(2)}x  parse ${row.parseNs.toFixed(0)} ns, parse+walk ${row.walkNs.toFixed(0)} ns, judge ${row.judgeNs.toFixed(0)} ns  ${row.line}`,
    );
  }
  const worst = Math.max(...rows.map((row) => row.ratio));
  console.log(`median ratio ${all.toFixed(2)}x, worst ${worst.toFixed(2)}x (goal: at most 3x)`);
  return rows;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await run();
