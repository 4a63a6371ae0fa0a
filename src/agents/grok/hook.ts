/** What a call of Grok needs. */
import type { AgentHook } from "../agent-hook.ts";
import { writeGrok } from "./answer.ts";
import { isInstalled } from "./is-installed.ts";
import { readGrok } from "./read-grok.ts";

/**
 * No `ownPrompt`: with `--always-approve` Grok runs what it is told to ask about. A person is asked through
 * our queue.
 */
export const grokHook: AgentHook = { read: readGrok, write: writeGrok, isInstalled };
