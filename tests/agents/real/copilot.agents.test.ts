import { copilot } from "./copilot.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(copilot);
