// One of four: writes calls to the ledger, eight at a time, until the time is over.

const { openStore } = await import("../../dist/open/open-store.js");

const { folder, name, seconds } = JSON.parse(process.argv[2]);
const { ledger, close } = await openStore({ stateFolder: folder });
const end = performance.now() + seconds * 1_000;
let calls = 0;
let slowestMs = 0;
let error;

const lanes = Array.from({ length: 8 }, async (_, lane) => {
  for (let index = 0; performance.now() < end; index++) {
    const callId = `${name}-${lane}-${index}`;
    const call = { callId, at: Date.now(), tool: "crash.write", caller: name, input: { index } };
    const startedAt = performance.now();
    await ledger.open({ ...call, permission: "write" });
    const asked = { askedFor: "crash.write", kind: "call", surface: "library" };
    await ledger.close({ ...call, ...asked, durationMs: 1, verdict: "allow", ok: true, result: "done" });
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    calls += 1;
  }
});
try {
  await Promise.all(lanes);
} catch (problem) {
  error = problem.message;
}
await close();
console.log(JSON.stringify({ calls, slowestMs, error }));
