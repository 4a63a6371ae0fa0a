import { gemini } from "./gemini.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(gemini);
