import { grok } from "./grok.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(grok);
