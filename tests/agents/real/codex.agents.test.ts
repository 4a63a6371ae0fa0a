import { codex } from "./codex.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(codex);
