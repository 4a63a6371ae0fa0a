import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { intent, record } from "../contract/samples.ts";
import { createCliWorld } from "../e2e/cli-process.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { describePostgres } from "./describe-postgres.ts";
import { asUser } from "./postgres-binaries.ts";
import { createDatabase, freePort } from "./start-postgres.ts";

const hasPgBouncer = (() => {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describePostgres(
  "two replicas behind a real PgBouncer",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-bouncer-"));
    const bouncers: ChildProcess[] = [];
    beforeAll(async () => {
      if (asUser.uid !== undefined) chownSync(folder, asUser.uid, asUser.gid);
    }, 60_000);
    afterAll(async () => {
      for (const child of bouncers) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
    /** A database of its own; its address through a pooler. */
    const through = async (mode: "session" | "transaction") => {
      const url = new URL(await createDatabase());
      const port = await freePort();
      const place = join(folder, String(port));
      writeFileSync(`${place}.users`, '"postgres" ""\n');
      writeFileSync(
        `${place}.ini`,
        `[databases]\n* = host=127.0.0.1 port=${url.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = trust\nauth_file = ${place}.users\npool_mode = ${mode}\ndefault_pool_size = 20
max_client_conn = 200\nlogfile = ${place}.log\n`,
      );
      bouncers.push(spawn("pgbouncer", [`${place}.ini`], { ...asUser, cwd: folder, stdio: "ignore" }));
      await expect.poll(() => isOpen(port), { timeout: 20_000 }).toBe(true);
      url.port = String(port);
      return url.href;
    };
    const open = (url: string, name: string) =>
      openStore({ stateFolder: join(folder, `${new URL(url).port}-${name}`), postgres: { url } });
    const examine = async (url: string) => {
      const world = createCliWorld();
      try {
        const config = join(world.folder, "home", ".config", "toolgate", "config.yaml");
        mkdirSync(dirname(config), { recursive: true });
        writeFileSync(config, `store: ${url}\n`);
        const { findings } = JSON.parse((await world.run(["doctor", "--json"])).out) as {
          findings: { check: string; level: string; message: string }[];
        };
        return findings
          .filter(({ check }) => check === "store")
          .map(({ level, message }) => `${level}: ${message}`);
      } finally {
        world.close();
      }
    };
    /** What all of them must do: nothing is lost, answers are heard by the other one. In milliseconds, by the median. */
    const work = async (url: string) => {
      const [one, two] = [await open(url, "one"), await open(url, "two")];
      const took: number[] = [];
      try {
        await Promise.all(
          Array.from({ length: 200 }, async (_, n) => {
            const { ledger } = n % 2 === 0 ? one : two;
            await ledger.open(intent(`c${n}`));
            await ledger.close(record(`c${n}`));
          }),
        );
        for (let n = 0; n < 9; n++) {
          await one.approvals.open(approvalRequest(`q${n}`));
          const waiting = one.approvals.wait(`q${n}`);
          const before = performance.now();
          await two.approvals.answer(`q${n}`, { decision: "approve", by: "ann" });
          expect(await waiting).toMatchObject({ state: "approved" });
          took.push(performance.now() - before);
          expect(await one.approvals.claim(`q${n}`, binding)).toBe(true);
          await one.approvals.done(`q${n}`);
        }
        const { ok, problems, rows } = await two.ledger.verify();
        expect([ok, problems]).toEqual([true, []]);
        expect(rows).toBeGreaterThanOrEqual(400);
      } finally {
        await Promise.all([one.close(), two.close()]);
      }
      return took.toSorted((a, b) => a - b)[4] ?? 0;
    };

    it("work as without it in session mode, and doctor says so", { timeout: 120_000 }, async () => {
      const url = await through("session");
      const ms = await work(url);
      process.stderr.write(`session mode: an answer is heard after ${ms.toFixed(1)} ms\n`);
      expect(ms).toBeLessThan(500);
      const said = await examine(url);
      expect(said.filter((line) => line.startsWith("problem: "))).toEqual([]);
      expect(said).toContainEqual(expect.stringMatching(/^info: .*session mode/));
    });

    it("lose nothing in transaction mode, hear answers late, and doctor says what to do", {
      timeout: 120_000,
    }, async () => {
      const url = await through("transaction");
      const ms = await work(url);
      process.stderr.write(`transaction mode: an answer is heard after ${ms.toFixed(1)} ms\n`);
      expect(ms).toBeLessThan(2_000);
      expect(await examine(url)).toContainEqual(expect.stringMatching(/^problem: .*pool_mode = transaction/));
    });
  },
  hasPgBouncer ? undefined : "there is no pgbouncer on the path",
);

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
