/** The parts of the store, in the order in which they look around when a process opens it. */
import type { Area } from "./area.ts";
import { processesArea } from "./processes/processes-area.ts";

export const areas: readonly Area[] = [processesArea];
