import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/open/open-store.ts";
import { type CliWorld, createCliWorld } from "../e2e/cli-process.ts";
import { splitMessages } from "./cutting-proxy.ts";
import { describePostgres } from "./describe-postgres.ts";
import { ask, createDatabase } from "./start-postgres.ts";

describePostgres("what doctor says of a database", () => {
  let world: CliWorld;
  let url: string;
  beforeAll(async () => {
    url = await createDatabase();
    world = createCliWorld();
    await (await openStore({ stateFolder: join(world.folder, "state"), postgres: { url } })).close();
  }, 60_000);
  afterAll(async () => {
    world.close();
  });
  const examine = async (store: string) => {
    const config = join(world.folder, "home", ".config", "toolgate", "config.yaml");
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, `store: ${store}\n`);
    const { out } = await world.run(["doctor", "--json"]);
    const { findings } = JSON.parse(out) as {
      findings: { check: string; level: string; message: string }[];
    };
    return findings
      .filter(({ check }) => check === "store")
      .map(({ level, message }) => `${level}: ${message}`);
  };

  it("is its version, how soon it answers, and that its owner could change records", async () => {
    const said = await examine(url);
    expect(said[0]).toMatch(/^ok: PostgreSQL \d+\S* at .* answers in [\d.]+ ms\.$/);
    expect(said.slice(1)).toEqual([expect.stringMatching(/^info: The role postgres is a superuser/)]);
  });

  it("names the rights that a role lacks, and nothing of one that only adds", async () => {
    const name = `gate_${Date.now().toString(36)}`;
    await ask(url, `CREATE ROLE ${name} LOGIN`);
    await ask(
      url,
      `GRANT USAGE ON SCHEMA toolgate TO ${name}; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA toolgate TO ${name}`,
    );
    const own = new URL(url);
    own.username = name;
    const lacks = (await examine(own.href)).find((line) => line.startsWith("problem: "));
    expect(lacks).toContain("UPDATE on toolgate.approvals");
    expect(lacks).toContain("EXECUTE on toolgate.ledger_append");
    expect(lacks).not.toMatch(/ on toolgate\.ledger[,.]/);
    await ask(url, `GRANT UPDATE, DELETE ON ALL TABLES IN SCHEMA toolgate TO ${name}`);
    await ask(url, `REVOKE INSERT, UPDATE, DELETE ON toolgate.ledger FROM ${name}`);
    await ask(url, `GRANT EXECUTE ON FUNCTION toolgate.ledger_append TO ${name}`);
    expect(await examine(own.href)).toHaveLength(1);
  });

  it("warns of settings with which acknowledged records can be lost", async () => {
    const [, database] = new URL(url).pathname.split("/");
    await ask(url, `ALTER DATABASE ${database} SET synchronous_commit = off`);
    onTestFinished(async () => {
      await ask(url, `ALTER DATABASE ${database} RESET synchronous_commit`);
    });
    expect(await examine(url)).toContainEqual(expect.stringContaining("synchronous_commit = off"));
  });

  it("finds a pooler that shares connections between transactions, and says what to do", async () => {
    const proxy = await startPooler(Number(new URL(url).port), false);
    onTestFinished(() => proxy.close());
    const through = new URL(url);
    through.port = String(proxy.port);
    expect(await examine(through.href)).toContainEqual(
      expect.stringMatching(/^problem: .*pool_mode = transaction/),
    );
  });

  it("says that a pooler in session mode is fine", async () => {
    const proxy = await startPooler(Number(new URL(url).port), true);
    onTestFinished(() => proxy.close());
    const through = new URL(url);
    through.port = String(proxy.port);
    expect(await examine(through.href)).toContainEqual(expect.stringMatching(/^info: .*session mode/));
  });
});

/** What a pooler does as far as a client sees it: it makes up the number of the backend, and may lose notifications. */
async function startPooler(target: number, bells: boolean) {
  const server = createServer((client) => {
    const database = connect(target, "127.0.0.1");
    const split = splitMessages(false, (type, message) => {
      if (type === "K") message.writeUInt32BE(1, 5);
      if (type !== "A" || bells) client.write(message);
    });
    client.pipe(database);
    database.on("data", split);
    for (const socket of [client, database])
      socket.on("error", () => {}).on("close", () => [client, database].map((one) => one.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { readonly port: number }).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
