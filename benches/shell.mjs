// What judging a command line costs next to only parsing it, and what a guarded regular expression costs next to a bare one.

import { forEachChild, parse } from "unbash";
import { bar, measure, median, ratio, round3, table } from "./measure.mjs";

/** Ordinary lines of coding agents. */
const lines = [
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

/** As routes and policies write them; none has look-around. */
const patterns = [
  ["github\\.com/.+/pull/\\d+"],
  ["^rm\\s+-rf?\\s"],
  ["\\.(?:png|jpe?g|gif)$", "i"],
  ["^https?://(?:[\\w-]+\\.)*example\\.com(?:/|$)"],
  ["\\b(?:password|secret|token)\\b", "i"],
  ["^(?:src|tests)/.*\\.tsx?$"],
  ["^git\\s+(?:push|reset)\\b.*(?:--force|--hard)"],
  ["[A-Z]{2,10}-\\d+"],
];
const texts = [
  "https://github.com/owner/project/pull/1234",
  "rm -rf node_modules && npm ci",
  "src/pipeline/layers/retry.ts",
  "git push --force origin main",
  "Fix the login of PROJ-482: the token was never refreshed, so that the second call failed",
];

const rounds = 7;
/** Several at once, so that waiting for the call to end weighs little. */
const lineRepeats = 20;
const passRepeats = 5;

export async function run() {
  const { judgeCommand } = await import("../dist/shell/judge.js");
  const { compilePattern } = await import("../dist/safe/regex/safe-regex.js");
  const context = { cwd: "/work", home: "/home/user" };
  const walk = (node) => forEachChild(node, walk);
  const bare = patterns.map(([source, flags]) => new RegExp(source, flags));
  const safe = patterns.map(([source, flags]) => compilePattern(source, flags).pattern);
  check(judgeCommand, context, bare, safe);

  const subjects = [
    ...lines.flatMap((line) => [
      { name: `parse ${line}`, call: repeat(lineRepeats, () => parse(line)) },
      { name: `judge ${line}`, call: repeat(lineRepeats, () => judgeCommand(line, context)) },
    ]),
    {
      name: "parse and visit all lines",
      call: repeat(1, () => lines.forEach((line) => void walk(parse(line)))),
    },
    { name: "parse all lines", call: repeat(1, () => lines.forEach((line) => void parse(line))) },
    { name: "bare", call: repeat(passRepeats, () => passOver(bare)) },
    { name: "safe", call: repeat(passRepeats, () => passOver(safe)) },
  ];
  const onRound = (done) => {
    if (done === 0) console.error(`Measuring ${subjects.length} subjects in ${rounds} rounds ...`);
  };
  const measured = await measure(subjects, { rounds, onRound });

  const rows = lines.map((line) => {
    const [parsed, judged] = [measured.get(`parse ${line}`), measured.get(`judge ${line}`)];
    const times = ratio(judged, parsed);
    return {
      line,
      parseUs: round3(median(parsed.cpuUs) / lineRepeats),
      judgeUs: round3(median(judged.cpuUs) / lineRepeats),
      ratio: round3(times.value),
    };
  });
  const cells = rows.map((row) => [row.line, `${row.parseUs}`, `${row.judgeUs}`, `${row.ratio}`]);
  console.log(table(["ordinary command", "parse CPU us", "judge CPU us", "ratio"], cells));
  const worst = rows.reduce((most, row) => (row.ratio > most.ratio ? row : most));
  const visited = ratio(measured.get("parse and visit all lines"), measured.get("parse all lines"));
  console.log(`\nWorst: ${worst.ratio}x, ${worst.line}`);
  console.log(`Only visiting every node after parsing: ${round3(visited.value)}x`);

  const perTest = patterns.length * texts.length * passRepeats;
  const [bareNs, safeNs] = ["bare", "safe"].map(
    (name) => (median(measured.get(name).cpuUs) / perTest) * 1_000,
  );
  console.log(`One test of a pattern: bare ${round3(bareNs)} ns, guarded ${round3(safeNs)} ns\n`);
  rows.push({ pattern: "bare", testNs: round3(bareNs) }, { pattern: "guarded", testNs: round3(safeNs) });

  const bars = [
    bar("the whole judgement, times the parser alone (median of ordinary commands)", overLines(measured), 3),
    bar(
      "safe-regex, times a bare RegExp (patterns without look-around)",
      ratio(measured.get("safe"), measured.get("bare")),
      1.3,
    ),
  ];
  const shown = bars.map(({ bar: name, value, low, high, max, ok }) => [
    name,
    `${value}`,
    `${low}..${high}`,
    `${max}`,
    ok ? "held" : "MISSED",
  ]);
  console.log(table(["bar", "value", "middle half", "at most", ""], shown));
  return { rows, bars };

  function passOver(list) {
    for (const pattern of list) for (const text of texts) pattern.test(text);
  }
}

/** In each round the median of the lines' ratios; then as every ratio. */
function overLines(measured) {
  const perRound = Array.from({ length: rounds }, (_, round) =>
    median(
      lines.map(
        (line) => measured.get(`judge ${line}`).cpuUs[round] / measured.get(`parse ${line}`).cpuUs[round],
      ),
    ),
  );
  return ratio({ cpuUs: perRound }, { cpuUs: perRound.map(() => 1) });
}

function repeat(count, work) {
  return async () => {
    for (let index = 0; index < count; index++) work();
  };
}

/** A judge that gives up early or a pattern that answers differently would be quick, and worth nothing. */
function check(judgeCommand, context, bare, safe) {
  for (const line of lines) {
    const { risk, commands } = judgeCommand(line, context);
    if (risk === "opaque" || commands.length === 0) throw new Error(`Not judged: ${line}`);
  }
  for (const [index, pattern] of safe.entries())
    for (const text of texts)
      if (pattern.test(text) !== bare[index].test(text))
        throw new Error(`/${pattern.source}/ answers differently for: ${text}`);
}
