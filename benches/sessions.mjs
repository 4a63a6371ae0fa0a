// What one step of an agent costs: the model is asked, a trivial tool is called, its result goes back.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bar, measure, median, printBars, ratio, round3, table } from "./measure.mjs";

export const needsPeers = true;

/** Tool steps of one turn; the answer at its end is one more request. */
const steps = 10;
const prompt = `steps: ${steps}`;

export async function run({ quick }) {
  const model = fork(fileURLToPath(new URL("sessions/model.mjs", import.meta.url)));
  const [{ port }] = await once(model, "message");
  const url = `http://127.0.0.1:${port}`;
  try {
    return await compare(url, quick ? 5 : 15);
  } finally {
    model.kill();
  }
}

async function compare(url, rounds) {
  const { aiSdkSubjects, agentsSdkSubjects, langgraphSubjects } = await import("./sessions/peers.mjs");
  const { ours, toolgateSubject } = await import("./sessions/toolgate.mjs");
  const toolgate = await toolgateSubject(url);
  const peers = [
    ...(await aiSdkSubjects(url)),
    ...(await agentsSdkSubjects(url)),
    ...(await langgraphSubjects(url)),
  ];
  const subjects = [toolgate, ...peers].map((subject) => ({
    ...subject,
    call: () => subject.turn(prompt, steps),
  }));
  for (const subject of subjects) await checkSubject(subject);
  await checkRecord(toolgate);
  const measured = await measure(subjects, { rounds, warmUpCalls: 20, fewestLeadIn: 3 });
  await toolgate.close();

  const us = measured.get(ours);
  const rows = [...measured.values()].map((row) => ({
    row: row.name,
    cpuUs: round3(median(row.cpuUs) / steps),
    wallUs: round3(median(row.wallUs) / steps),
    xOurs: round3(ratio(row, us).value),
  }));
  // Like with like: nobody sees a word of the others before an answer is whole.
  const streaming = peers.filter(({ streams }) => streams);
  const bars = streaming.map(({ name }) => bar(`toolgate / ${name}`, ratio(us, measured.get(name)), 1));
  print(rows, bars);
  return { rows, bars };
}

/** A loop that stops early, or adds wrong, would be measured for nothing. */
async function checkSubject({ name, call }) {
  const sums = await call();
  const expected = Array.from({ length: steps }, (_, step) => step + 2);
  if (sums.join() !== expected.join())
    throw new Error(`${name} gave ${sums.join()} instead of ${expected.join()}.`);
}

/** Who does not record is cheap: the log of the session and the ledger have every call. */
async function checkRecord({ verify }) {
  const { uses, results, calls } = await verify();
  if (uses !== steps || results !== steps || calls !== steps)
    throw new Error(
      `Of ${steps} calls ${uses} uses and ${results} results are in the log, ${calls} in the ledger.`,
    );
}

function print(rows, bars) {
  const number = (value) => value.toFixed(0);
  console.log(`One step of an agent (model asked, tool run, result sent), of turns with ${steps} steps.\n`);
  const lines = rows.map(({ row, cpuUs, wallUs, xOurs }) => [
    row,
    number(cpuUs),
    number(wallUs),
    xOurs.toFixed(2),
  ]);
  console.log(table(["", "CPU us", "wall us", "x ours"], lines));
  printBars(bars);
}
