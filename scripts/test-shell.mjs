/** Compares the shell judge with a real bash and a real zsh over very many lines: `npm run test:shell -- --lines 1000000 --seed 1`. */
import { parseArgs } from "node:util";
import { batchProblem } from "../tests/attack/shell-batch.ts";
import { compareWithShells } from "../tests/attack/shell-comparison.ts";
import { coverageTable } from "../tests/attack/shell-coverage.ts";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "1000000" },
    seed: { type: "string", default: "20261116" },
    jobs: { type: "string", default: "2" },
  },
});
const lines = Number(values.lines);
if (!Number.isInteger(lines) || lines < 1) throw new Error(`--lines must be a number, not ${values.lines}`);

const shells = ["bash", "zsh"].filter((shell) => {
  const problem = batchProblem(shell);
  if (problem !== undefined) console.log(`${shell} is skipped: ${problem}`);
  return problem === undefined;
});
if (shells.length === 0) process.exit(process.env.TOOLGATE_CI === "full" ? 1 : 0);

const start = performance.now();
let shown = 0;
const result = await compareWithShells({
  lines,
  seed: Number(values.seed),
  shells,
  jobs: Number(values.jobs),
  onWrong: (one) => console.log(JSON.stringify(one)),
  onProgress: (done, found) => {
    const seconds = Math.round((performance.now() - start) / 1000);
    if (seconds < shown + 15 && done < lines) return;
    shown = seconds;
    console.log(`${done} of ${lines} lines, ${seconds} s, ${found} found`);
  },
});
console.log(coverageTable(result.covered));
for (const shell of shells)
  console.log(
    `${shell}: ${result.lines} lines judged, ${result.ran[shell]} understood and run, ${result.withEffect[shell]} of them ran a stub, ${result.unended[shell]} did not end`,
  );
console.log(`${result.wrong.length} effects that the judge did not name`);
process.exit(result.wrong.length === 0 ? 0 : 1);
