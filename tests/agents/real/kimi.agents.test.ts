import { kimi } from "./kimi.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(kimi);
