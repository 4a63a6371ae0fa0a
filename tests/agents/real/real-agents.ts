/** The real agents that `npm run test:agents` installs and runs. */
import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { grok } from "./grok.ts";
import { kilo } from "./kilo.ts";
import { kimi } from "./kimi.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";
import type { RealAgent } from "./real-agent.ts";

export const realAgents: readonly RealAgent[] = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  grok,
  droid,
  kimi,
  opencode,
  kilo,
  cline,
  pi,
];
