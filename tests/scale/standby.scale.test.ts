import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { describeOwnPostgres } from "./describe-postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { ask, startPostgres, type TestPostgres } from "./start-postgres.ts";

describeOwnPostgres("a standby that takes over", () => {
  let postgres: TestPostgres;
  const folder = scratchFolder();
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await postgres.close();
  });

  it("has all that was acknowledged, nothing twice, and the calls go on without a restart", {
    timeout: 120_000,
  }, async () => {
    const { control } = postgres;
    const database = await postgres.createDatabase();
    const standby = await control.addStandby();
    const proxy = await startCuttingProxy(database);
    const { url } = proxy;
    const open = (name: string) => openStore({ stateFolder: join(folder, name), postgres: { url } });
    const [one, two] = [await open("one"), await open("two")];
    await one.approvals.open(approvalRequest("asked"));
    const waiting = one.approvals.wait("asked");
    const kept: string[] = [];
    const problems = new Set<unknown>();
    let isOver = false;
    const writers = [one, two, one, two].map(async ({ ledger }, writer) => {
      for (let n = 0; !isOver; n++) {
        const id = `call-${writer}-${n}`;
        try {
          await ledger.open(intent(id));
          kept.push(`intent ${id}`);
          await ledger.close(record(id));
          kept.push(`completion ${id}`);
        } catch (error) {
          problems.add((error as { readonly problem: unknown }).problem);
          await sleep(50);
        }
      }
    });
    await expect.poll(() => kept.length, { timeout: 30_000 }).toBeGreaterThan(50);
    const before = kept.length;
    await control.stop("immediate");
    // For a while everybody meets a server that only reads.
    proxy.switchTo(standby.port);
    await expect(one.ledger.tryOut()).rejects.toMatchObject({ problem: "unavailable" });
    await sleep(7_000);
    await standby.promote();
    await expect.poll(() => kept.length, { timeout: 30_000 }).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(writers);
    expect([...problems]).toEqual(["unavailable"]);

    // Asked before, answered after, by the other one.
    expect(await two.approvals.answer("asked", { decision: "approve", by: "ann" })).toEqual({ ok: true });
    expect(await waiting).toMatchObject({ state: "approved" });
    expect(await one.approvals.claim("asked", binding)).toBe(true);
    const rows = await ask(
      url,
      "SELECT kind || ' ' || call_id AS name, count(*)::int AS times FROM toolgate.ledger WHERE call_id LIKE 'call-%' GROUP BY 1",
    );
    const times = new Map(rows.map((row) => [row.name, row.times]));
    expect(kept.filter((name) => !times.has(name))).toEqual([]);
    expect(rows.filter((row) => row.times !== 1)).toEqual([]);
    for (const { ledger } of [one, two])
      expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] });
    await Promise.all([one.close(), two.close()]);
    await proxy.close();
  });
});
