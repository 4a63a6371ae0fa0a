// A process that records calls as it is told on its input, and says which were acknowledged and which were refused.

import { createInterface } from "node:readline";

const { openStore } = await import("../../dist/open/open-store.js");

const { folder, name } = JSON.parse(process.argv[2]);
const store = await openStore({ stateFolder: folder });
let calls = 0;

/** Half of them write, the others only read. */
async function call() {
  const callId = `${name}-${++calls}`;
  const [tool, input] = ["crash.fault", { text: "x".repeat(300) }];
  const facts = { callId, at: Date.now(), tool, caller: name, input };
  const asked = { askedFor: tool, kind: "call", surface: "library", cwd: "/", mode: "act" };
  const record = { ...facts, ...asked, durationMs: 1, verdict: "allow", ok: true, result: "done" };
  try {
    if (calls % 2 === 0) await store.ledger.open({ ...facts, permission: "write" });
    await store.ledger.close(record);
    say("ack", callId);
    return true;
  } catch (error) {
    say("refused", error.message);
    return false;
  }
}

const lanes = (count, one) => Promise.all(Array.from({ length: count }, one));

const commands = {
  /** Several at once, so that lines are written together. */
  write: (count) =>
    lanes(8, async () => {
      for (let index = 0; index < count / 8; index++) await call();
    }),
  fill: () =>
    lanes(8, async () => {
      for (let refused = 0; refused < 3; ) if (!(await call())) refused++;
    }),
  async ready() {
    await store.ledger.tryOut().then(
      () => say("ready", "yes"),
      (error) => say("ready", error.message),
    );
  },
};

say("open", "");
for await (const line of createInterface({ input: process.stdin })) {
  const [command, count] = line.split(" ");
  if (command === "close") break;
  await commands[command](Number(count));
  say("done", command);
}
try {
  await store.close();
} catch (error) {
  say("left", error.message);
  process.exitCode = 1;
}

function say(word, text) {
  process.stdout.write(`${word} ${text.replaceAll("\n", " ")}\n`);
}
