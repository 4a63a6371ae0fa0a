import { opencode } from "./opencode.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(opencode);
