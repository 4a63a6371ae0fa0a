import { pi } from "./pi.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(pi);
