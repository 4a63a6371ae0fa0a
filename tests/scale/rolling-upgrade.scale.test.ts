import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { schemaVersion } from "../../src/stores/postgres/migrate.ts";
import { describePostgres } from "./describe-postgres.ts";
import {
  askMachine,
  closeMachines,
  type Machine,
  makeToken,
  sharedRulesFile,
  startMachine,
} from "./machine.ts";
import { ask, createDatabase } from "./start-postgres.ts";

const rules = `
tools: { enabled_categories: [editing] }
server: { limits: { max_per_minute: 1000000 } }
policies:
  yes: { tools: '*', action: approve }
`;
const source = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const laterSteps = fileURLToPath(new URL("./chaos/later-steps.ts", import.meta.url));

describePostgres("a rolling upgrade", () => {
  let database: string;
  let token: string;
  const shared = sharedRulesFile();
  const started: Machine[] = [];
  /** `steps`: how many more this version knows than the one that is tested. */
  const versionOf = (steps: number) => ({
    TOOLGATE_TEST_STEPS: String(steps),
    TOOLGATE_TEST_OLDEST: String(schemaVersion + 1),
  });
  const start = async (steps: number) => {
    const machine = await startMachine(database, shared, rules, {
      program: source,
      nodeOptions: ["--import", laterSteps],
      env: versionOf(steps),
    });
    started.push(machine);
    return machine;
  };
  beforeAll(async () => {
    database = await createDatabase();
  }, 60_000);
  afterAll(async () => {
    closeMachines(started);
  });

  it("with a change of the tables in between makes no error for clients that retry once", {
    timeout: 300_000,
    retry: 0,
  }, async () => {
    const places: [Machine, Machine] = [await start(0), await start(0)];
    token = await makeToken(places[0], "agent", "call");
    let isOver = false;
    const told = { calls: 0, retried: 0, failed: [] as string[] };
    const clients = Array.from({ length: 4 }, async (_, client) => {
      for (let n = 0; !isOver; n++) {
        const path = `c${client}-${n}.txt`;
        const first = places[(client + n) % 2] as Machine;
        told.calls++;
        if ((await write(first, path)).ok) continue;
        told.retried++;
        // As a proxy in front of them does: the other one.
        const answer = await write(places.find((one) => one !== first) as Machine, path);
        if (!answer.ok) told.failed.push(answer.why);
        await sleep(20);
      }
    });
    const replace = async (index: 0 | 1, steps: number) => {
      const before = places[index];
      places[index] = await start(steps);
      before.server.kill("SIGTERM");
      await sleep(2_000);
    };
    await sleep(1_500);
    // The new version adds to the tables while the old one runs; then the old one goes.
    await replace(0, 1);
    expect(await schema()).toEqual([{ version: schemaVersion + 1, oldest: 1 }]);
    await sleep(1_500);
    await replace(1, 1);
    // One version later: what only the oldest needed goes away.
    await replace(0, 2);
    expect(await schema()).toEqual([{ version: schemaVersion + 2, oldest: schemaVersion + 1 }]);
    await sleep(6_000);
    isOver = true;
    await Promise.all(clients);
    process.stderr.write(`rolling upgrade: ${told.calls} calls, ${told.retried} retried\n`);
    expect(told.failed).toEqual([]);
    expect(told.calls).toBeGreaterThan(50);
    const verified = await places[0].world.run(
      ["audit", "verify"],
      "",
      ["--import", laterSteps],
      versionOf(2),
    );
    expect([verified.code, verified.err]).toEqual([0, ""]);
  });

  it("does not let a toolgate start that is too old for the tables, which says so", async () => {
    await expect(start(0)).rejects.toThrow("was changed by a newer toolgate");
  });

  const schema = () => ask(database, "SELECT version, oldest FROM toolgate.schema_version");

  async function write(machine: Machine, path: string): Promise<{ ok: boolean; why: string }> {
    try {
      const { status, json } = await askMachine(machine, token, "/api/tools/fs.write/call", {
        body: { input: { path, content: "x" }, sessionId: path },
      });
      const ok = status === 200 && json.ok === true;
      if (ok && !existsSync(join(machine.world.project, path)))
        return { ok: false, why: `${path} is not there` };
      return { ok, why: `${status} ${JSON.stringify(json)}` };
    } catch (error) {
      return { ok: false, why: String(error) };
    }
  }
});
