import { createSqliteGrants } from "../../../../src/stores/sqlite/grants/sqlite-grants.ts";
import { grantStoreContract } from "../../../contract/grant-store.ts";
import { sharedStore } from "./temporary-store.ts";

const store = sharedStore(["grants"]);
grantStoreContract("SQLite", () => createSqliteGrants(store(), () => 10));
