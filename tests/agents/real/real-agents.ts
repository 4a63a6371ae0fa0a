/** The real agents that `npm run test:agents` installs and runs. */
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import type { RealAgent } from "./real-agent.ts";
import { copilot } from "./copilot.ts";
import { grok } from "./grok.ts";

export const realAgents: readonly RealAgent[] = [claudeCode, codex, copilot, grok];
