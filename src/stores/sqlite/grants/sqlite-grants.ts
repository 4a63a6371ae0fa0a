/** Grants that several processes share and that outlive them. */
import type { GrantStore } from "../../../core/call/approval.ts";
import { toLookup } from "../../port/grant-rows.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import type { grantsArea } from "./grants-area.ts";

export function createSqliteGrants(client: SqliteClient, now: () => number = Date.now): GrantStore {
  const area = client.area<typeof grantsArea>("grants");
  return {
    add: (grant) => area.write("add", { ...grant }),
    find: (query) => area.read("find", toLookup(query)),
    list: () => area.read("list", { now: now() }),
    revoke: (id, by) => area.write("revoke", { id, by }),
  };
}
