import { qwen } from "./qwen.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(qwen);
