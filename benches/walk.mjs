// What the whole walk costs for a trivial tool, next to doing less (a bare function) and to what others do for one call.

import { bar, measure, median, printBars, ratio, round3, table } from "./measure.mjs";

export const needsPeers = true;

/** The peer that the bars name varies by a sixth from round to round; with fifteen of them its median still does by a twentieth. */
const rounds = 25;

export async function run() {
  const { gateSubjects, matching, matchingMany, untouched, untouchedMany } = await import("./walk/gate.mjs");
  const { mcpV1, mcpV1Subject, mcpV2Subject } = await import("./walk/mcp-sdk.mjs");
  const { langchainSubject, mastraSubject, openaiSubject } = await import("./walk/frameworks.mjs");
  const { plainSubjects } = await import("./walk/plain.mjs");
  const subjects = [
    ...plainSubjects(),
    ...(await gateSubjects()),
    await mastraSubject(),
    await openaiSubject(),
    await langchainSubject(),
    await mcpV1Subject(),
    await mcpV2Subject(),
  ];
  for (const subject of subjects) await checkSubject(subject);
  const measured = await measure(subjects, { rounds, onRound: progress });
  for (const { close } of subjects) await close?.();

  const base = measured.get(mcpV1);
  const bare = measured.get("bare async function");
  const rows = [...measured.values()].map((row) => ({
    row: row.name,
    cpuUs: round3(median(row.cpuUs)),
    wallUs: round3(median(row.wallUs)),
    xBare: round3(ratio(row, bare).value),
    xMcpV1: round3(ratio(row, base).value),
  }));
  const of = (name, other) => ratio(measured.get(name), measured.get(other));
  const bars = [
    bar("whole walk with matching rules / MCP SDK v1", of(matching, mcpV1), 0.18),
    bar("tool that no rule concerns / MCP SDK v1", of(untouched, mcpV1), 0.08),
    bar("10,000 more rules, rules match / with few rules", of(matchingMany, matching), 1.2),
    bar("10,000 more rules, none concerns it / with few rules", of(untouchedMany, untouched), 1.2),
  ];
  print(rows, bars);
  return { rows, bars };
}

/** A subject that gives a wrong sum, or walks another way than its name says, would be measured for nothing. */
async function checkSubject({ name, call, sum, verify }) {
  const { sumAt } = await import("./walk/add-tool.mjs");
  for (const index of [0, 7, 1_500]) {
    const value = sum(await call(index));
    if (value !== sumAt(index)) throw new Error(`${name} gave ${value} instead of ${sumAt(index)}.`);
  }
  await verify?.();
}

function progress(round, rounds) {
  if (process.stderr.isTTY)
    process.stderr.write(round + 1 < rounds ? `\rround ${round + 1} of ${rounds} ` : "\r\u001b[K");
}

function print(rows, bars) {
  const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
  console.log("One call of a trivial add tool with a validated input, one after the other in one process.\n");
  const lines = rows.map(({ row, cpuUs, wallUs, xBare, xMcpV1 }) => [
    row,
    number(cpuUs),
    number(wallUs),
    number(xBare),
    xMcpV1.toFixed(3),
  ]);
  console.log(table(["", "CPU us", "wall us", "x bare", "x MCP v1"], lines));
  printBars(bars);
}
