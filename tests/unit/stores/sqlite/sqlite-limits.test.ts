import { createSqliteLimits } from "../../../../src/stores/sqlite/limits/sqlite-limits.ts";
import { limitStoreContract } from "../../../contract/limit-store.ts";
import { sharedStore } from "./temporary-store.ts";

const store = sharedStore(["limit_calls", "limit_places"]);
limitStoreContract("SQLite", () => createSqliteLimits(store()));
