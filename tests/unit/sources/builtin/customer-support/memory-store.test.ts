import { createMemorySupport } from "../../../../../src/sources/builtin/customer-support/memory-store.ts";
import { supportStoreContract } from "../../../../contract/support-store.ts";

supportStoreContract("memory", async (options) => createMemorySupport(options));
