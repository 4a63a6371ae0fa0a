/** The real agents that `npm run test:agents` installs and runs. */
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { droid } from "./droid.ts";
import { grok } from "./grok.ts";
import { kimi } from "./kimi.ts";
import type { RealAgent } from "./real-agent.ts";

export const realAgents: readonly RealAgent[] = [claudeCode, codex, copilot, grok, droid, kimi];
