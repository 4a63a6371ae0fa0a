import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createFileTasks } from "../../../../src/stores/files/file-tasks.ts";
import { taskStoreContract } from "../../../contract/task-store.ts";

const folder = mkdtempSync(join(tmpdir(), "toolgate-tasks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const ended = join(folder, "ended-tasks");
const end = { kind: "cancelled", by: "scan", message: "Enough.", at: Date.now() } as const;

taskStoreContract("files", () => ({ tasks: createFileTasks(folder), other: createFileTasks(folder) }));

describe("the files of ended tasks", () => {
  const tasks = createFileTasks(folder);

  it("are where the hook's script looks, readable for their owner alone", () => {
    tasks.end({ callerId: "local", sessionId: "636fab57-2c2f-4d99-bb09-336e9a2d1688" }, end);
    const file = join(ended, "local.636fab57-2c2f-4d99-bb09-336e9a2d1688");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("are seen by every other process once their end was told", async () => {
    const other = createFileTasks(folder);
    // The other process asks all the time, and would go by its last look.
    const asking = setInterval(() => other.endOf("local", "told"), 0);
    for (let round = 0; round < 20; round++) {
      rmSync(join(ended, "local.told"), { force: true });
      await setTimeout(3);
      expect(other.endOf("local", "told")).toBeUndefined();
      await tasks.end({ callerId: "local", sessionId: "told" }, end);
      expect(other.endOf("local", "told")).toEqual(end);
    }
    clearInterval(asking);
  });

  it("stay in their folder, whatever a session is called", () => {
    tasks.end({ callerId: "local", sessionId: "../../outside" }, end);
    tasks.end({ callerId: "..", sessionId: ".." }, end);
    expect(existsSync(join(folder, "..", "outside"))).toBe(false);
    expect(readdirSync(folder)).toEqual(["ended-tasks"]);
  });

  it("say that the task is over also when nobody can read them", () => {
    mkdirSync(ended, { recursive: true });
    for (const text of ["", "{", "[]", '{"by":1}', "null"]) {
      writeFileSync(join(ended, "local.broken"), text);
      expect(tasks.endOf("local", "broken"), text).toMatchObject({ kind: "cancelled" });
    }
    tasks.start("local", "broken");
    expect(tasks.endOf("local", "broken")).toBeUndefined();
  });

  it("go when nobody took the session up again for a month", () => {
    tasks.end({ callerId: "local", sessionId: "old" }, end);
    const long = Date.now() / 1_000 - 31 * 86_400;
    utimesSync(join(ended, "local.old"), long, long);
    tasks.end({ callerId: "local", sessionId: "new" }, end);
    expect([tasks.endOf("local", "old"), tasks.endOf("local", "new")]).toEqual([undefined, end]);
  });

  it("are not believed to be written where they cannot be", () => {
    const file = join(folder, "ended-tasks-is-a-file");
    mkdirSync(file);
    writeFileSync(join(file, "ended-tasks"), "");
    expect(() => createFileTasks(file).end({ callerId: "local", sessionId: "s" }, end)).toThrow();
    rmSync(file, { recursive: true });
  });
});
