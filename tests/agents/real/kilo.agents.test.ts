import { kilo } from "./kilo.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(kilo);
