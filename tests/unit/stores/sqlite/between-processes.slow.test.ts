import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createSystemClock } from "../../../../src/gate/system.ts";
import { hashInput } from "../../../../src/stores/port/hash-input.ts";
import { createSqliteApprovals } from "../../../../src/stores/sqlite/approvals/sqlite-approvals.ts";
import { createSqliteLimits } from "../../../../src/stores/sqlite/limits/sqlite-limits.ts";
import { openSqlite, type SqliteClient } from "../../../../src/stores/sqlite/open-sqlite.ts";
import { approvalRequest, binding } from "./approval-request.ts";
import { openStoreIn, sharedStore, temporaryFolder } from "./temporary-store.ts";

const yes = { decision: "approve", by: "ann" } as const;
const withdrawn = { ok: false, code: "withdrawn" };
const dying = fileURLToPath(new URL("./dying-process.ts", import.meta.url));
const deskOf = (client: SqliteClient) => createSqliteApprovals(client, { clock: createSystemClock() });

/** Two stores on one file, as two processes have them. */
async function twoDesks() {
  const folder = temporaryFolder();
  const [asking, answering] = [await openStoreIn(folder), await openStoreIn(folder)];
  return { folder, asking: deskOf(asking), answering: deskOf(answering), stores: { asking, answering } };
}

/** The same two for all tests that leave nothing behind. */
const emptied = sharedStore(["approvals"]);
let second: SqliteClient | undefined;

async function sharedDesks() {
  const asking = emptied();
  second ??= await openSqlite({ stateFolder: asking.stateFolder });
  return { folder: asking.stateFolder, asking: deskOf(asking), answering: deskOf(second) };
}

afterAll(() => second?.close());

/** Whether any file of the store holds these bytes, the write-ahead log included. */
function isOnDisk(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text),
  );
}

async function startDying(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [dying, folder], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("approvals between processes", () => {
  it("show the input without its secrets, which no file of the store holds", async () => {
    const { folder, asking, answering } = await sharedDesks();
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    const headers = { authorization: `Bearer ${secret}` };
    const input = { url: "https://example.com", headers, password: "hunter22" };
    await asking.open(approvalRequest("a", { input, reason: `because of ${secret}` }));
    const [shown] = await answering.waiting();
    expect(shown?.request.input).toMatchObject({ url: "https://example.com" });
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(shown?.redactions).toBe(2);
    expect([isOnDisk(folder, secret), isOnDisk(folder, "hunter22")]).toEqual([false, false]);
  });

  it("hand an edited input to the waiting process and to nobody else", async () => {
    const { folder, asking, answering } = await sharedDesks();
    await asking.open(approvalRequest("a"));
    const waiting = asking.wait("a");
    const input = { note: "plain words that only the one who waits may read" };
    await answering.answer("a", { decision: "approve", by: "ann", input });
    expect(await waiting).toMatchObject({ state: "approved", answer: { input } });
    expect(isOnDisk(folder, "plain words")).toBe(false);
    expect(await asking.claim("a", { ...binding, inputHash: hashInput(input) ?? "" })).toBe(true);
  });

  it("refuse an edited input that still holds a mark for a secret", async () => {
    const { asking, answering } = await sharedDesks();
    await asking.open(approvalRequest("a", { input: { password: "hunter22", n: 1 } }));
    const [shown] = await answering.pending();
    const edited = { ...shown?.input, n: 2 };
    expect(await answering.answer("a", { decision: "approve", by: "ann", input: edited })).toMatchObject({
      ok: false,
      code: "bad_answer",
      message: expect.stringContaining("[redacted:"),
    });
    expect(await answering.pending()).toHaveLength(1);
  });

  it("are found by the start of their id, whatever became of them", async () => {
    const { asking, answering } = await sharedDesks();
    for (const id of ["ab1", "ab2", "b%_", "b"]) await asking.open(approvalRequest(id));
    await answering.answer("ab1", { decision: "deny", by: "ann", reason: "no" });
    const found = async (prefix: string) =>
      (await answering.find(prefix)).map(({ request, state }) => `${request.id} ${state}`);
    expect(await found("ab")).toEqual(["ab2 pending", "ab1 denied"]);
    expect(await found("b%")).toEqual(["b%_ pending"]);
    expect(await found("c")).toEqual([]);
  });

  it("end with an error when the store can no longer be read", async () => {
    const { asking, stores } = await twoDesks();
    await asking.open(approvalRequest("a"));
    const failing = expect(asking.wait("a")).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await stores.asking.close();
    await failing;
  });

  it("of a killed process are withdrawn, and unknown where the call had begun", async () => {
    const folder = temporaryFolder();
    const child = await startDying(folder);
    const store = await openStoreIn(folder);
    const desk = deskOf(store);
    expect((await desk.pending()).map(({ id }) => id)).toEqual(["pending"]);
    const limits = createSqliteLimits(store);
    const place = [{ limit: "l", who: "w", window: undefined, concurrent: 1 }];
    expect(await limits.take(place, Date.now(), false)).toMatchObject({ ok: false, why: "concurrent" });
    const died = once(child, "exit");
    child.kill("SIGKILL");
    await died;
    // Before anybody swept: nobody waits for the answer.
    expect(await desk.pending()).toEqual([]);
    const statesIn = (of: typeof desk) =>
      Promise.all(
        ["pending", "approved", "claimed", "done"].map(async (id) => (await of.find(id))[0]?.state),
      );
    expect(await statesIn(desk)).toEqual(["withdrawn", "withdrawn", "unknown", "done"]);
    expect(await desk.answer("pending", yes)).toMatchObject(withdrawn);
    expect((await limits.take(place, Date.now(), false)).ok).toBe(true);
    const next = deskOf(await openStoreIn(folder));
    expect(await statesIn(next)).toEqual(["withdrawn", "withdrawn", "unknown", "done"]);
    expect(await next.claim("approved", binding)).toBe(false);
  });
});

/** Started by a shell that becomes a program which collects no children: killed, it stays in the table as a zombie. */
async function startUncollected(folder: string): Promise<{ readonly pid: number }> {
  const line = '"$1" "$2" "$3" & echo "pid $!"; exec sleep 60';
  const shell = spawn("bash", ["-c", line, "bash", process.execPath, dying, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain("ready");
  const pid = Number(/pid (\d+)/.exec(said)?.[1]);
  onTestFinished(() => {
    process.kill(pid, "SIGKILL");
    shell.kill("SIGKILL");
  });
  return { pid };
}

describe.skipIf(process.platform !== "linux")("a question whose process is gone", () => {
  it("ends also where nobody has collected what was killed", async () => {
    const folder = temporaryFolder();
    const { pid } = await startUncollected(folder);
    const desk = deskOf(await openStoreIn(folder));
    expect(await desk.pending()).toHaveLength(1);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => desk.pending()).toEqual([]);
    expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
    expect(await desk.answer("pending", yes)).toMatchObject(withdrawn);
  });

  it("ends also where another process has got its number", async () => {
    const folder = temporaryFolder();
    const child = await startDying(folder);
    const died = once(child, "exit");
    child.kill("SIGKILL");
    await died;
    const database = new DatabaseSync(join(folder, "toolgate.sqlite"));
    // As if the system had given the number of the dead to this process, which started at another time.
    database.exec(`UPDATE processes SET pid = ${process.pid}`);
    database.close();
    const desk = deskOf(await openStoreIn(folder));
    expect(await desk.pending()).toEqual([]);
    expect(await desk.answer("pending", { decision: "deny", by: "ann" })).toMatchObject(withdrawn);
  });
});

it("limits hold together and after a restart: exactly as many calls as allowed", async () => {
  const { folder, stores } = await twoDesks();
  const now = Date.now();
  const claims = [{ limit: "l", who: "w", window: { max: 10, windowMs: 60_000 }, concurrent: undefined }];
  const both = [createSqliteLimits(stores.asking), createSqliteLimits(stores.answering)];
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => both[index % 2]?.take(claims, now, false)),
  );
  expect(answers.filter((answer) => answer?.ok)).toHaveLength(10);
  await stores.asking.close();
  await stores.answering.close();
  const restarted = createSqliteLimits(await openStoreIn(folder));
  expect(await restarted.take(claims, now + 1, false)).toMatchObject({ ok: false, why: "window" });
  expect((await restarted.take(claims, now + 60_000, false)).ok).toBe(true);
});
