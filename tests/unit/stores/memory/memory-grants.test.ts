import { createMemoryGrants } from "../../../../src/stores/memory/memory-grants.ts";
import { grantStoreContract } from "../../../contract/grant-store.ts";

grantStoreContract("memory", createMemoryGrants);
