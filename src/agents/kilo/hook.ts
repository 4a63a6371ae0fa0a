/** What a call of Kilo needs: it is OpenCode with another name and other folders. */
import type { AgentHook } from "../agent-hook.ts";
import { opencodeHook } from "../opencode/hook.ts";

export const kiloHook: AgentHook = { ...opencodeHook };
