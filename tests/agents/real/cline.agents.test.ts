import { cline } from "./cline.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(cline);
