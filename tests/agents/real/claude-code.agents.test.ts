import { claudeCode } from "./claude-code.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(claudeCode);
