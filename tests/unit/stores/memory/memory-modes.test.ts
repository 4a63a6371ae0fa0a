import { createMemoryModes } from "../../../../src/stores/memory/memory-modes.ts";
import { modeStoreContract } from "../../../contract/mode-store.ts";

const modes = createMemoryModes();
modeStoreContract("memory", () => modes);
