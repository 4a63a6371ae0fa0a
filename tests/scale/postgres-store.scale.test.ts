import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { createSharedApprovals } from "../../src/stores/port/shared-approvals.ts";
import { createApprovalOperations } from "../../src/stores/postgres/approvals/approval-operations.ts";
import type { PostgresContext } from "../../src/stores/postgres/context.ts";
import { createPostgresGrants } from "../../src/stores/postgres/grants.ts";
import { createPostgresLimits } from "../../src/stores/postgres/limits.ts";
import { openContext } from "../../src/stores/postgres/open-context.ts";
import { approvalDeskContract } from "../contract/approval-desk.ts";
import { grantStoreContract } from "../contract/grant-store.ts";
import { limitStoreContract } from "../contract/limit-store.ts";
import { storeContract } from "../contract/store.ts";
import { twoProcessesContract } from "../contract/two-processes.ts";
import { describePostgres } from "./describe-postgres.ts";
import { open } from "./open-postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { createDatabase } from "./start-postgres.ts";

describePostgres("stores in PostgreSQL", () => {
  const folder = scratchFolder();
  /** A state folder remembers its ledger: another database in its place is found out. */
  const newPlace = async () =>
    JSON.stringify({
      stateFolder: mkdtempSync(join(folder, "state-")),
      url: await createDatabase(),
    });

  storeContract("PostgreSQL", async () => {
    const place = await newPlace();
    const [store, other] = [await open(place), await open(place)];
    return { store, other, close: async () => void (await Promise.all([store.close(), other.close()])) };
  });

  describe("part by part", () => {
    let context: PostgresContext;
    beforeAll(async () => {
      const url = await createDatabase();
      context = (await openContext({ url }, { stateFolder: folder })).context;
    });
    afterAll(async () => {
      await context.bells.close();
      await context.db.close();
    });
    const empty = (...tables: readonly string[]) =>
      context.db.run(`TRUNCATE ${tables.map((table) => `toolgate.${table}`).join(", ")}`);

    approvalDeskContract("PostgreSQL", async (options) => {
      await empty("approvals");
      return createSharedApprovals(createApprovalOperations(context), options);
    });
    grantStoreContract("PostgreSQL", async () => {
      await empty("grants");
      return createPostgresGrants(context, async () => {});
    });
    limitStoreContract("PostgreSQL", async () => {
      await empty("limit_calls", "limit_places");
      return createPostgresLimits(context);
    });
  });

  twoProcessesContract("PostgreSQL", new URL("./open-postgres.ts", import.meta.url), async () => {
    const place = await newPlace();
    return { place, open: () => open(place) };
  });
});
