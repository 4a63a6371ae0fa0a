import { it } from "vitest";
import { createSqliteLimits } from "../../../../src/stores/sqlite/limits/sqlite-limits.ts";
import { checkAgainstList, limitStoreContract } from "../../../contract/limit-store.ts";
import { sharedStore } from "./temporary-store.ts";

const store = sharedStore(["limit_calls", "limit_places"]);
limitStoreContract("SQLite", () => createSqliteLimits(store()));

it("limits in SQLite answer as a list of every single call would, also when many come at the same moment", () =>
  checkAgainstList(createSqliteLimits(store()), 30, 60));
