import { droid } from "./droid.ts";
import { checkRealAgent } from "./shared-checks.ts";

await checkRealAgent(droid);
