/** What a session is started with, of what the options say. */
import type { SessionBody } from "../../../rest/contract.ts";
import { namesIn } from "../../open/tool-options.ts";
import type { SessionOptions } from "./session-options.ts";

/** The folder is said by whoever knows it. */
export function startOf(options: SessionOptions): Omit<SessionBody, "prompt"> {
  const { runner, model, mode, system, tools, categories, timeout, maxTurns, maxTokens, worktree } = options;
  const budget = { turns: maxTurns, tokens: maxTokens, timeMs: timeout };
  const wanted = {
    ...{ runner, model, mode, system, worktree },
    tools: tools === undefined ? undefined : tools === "agent" ? ("agent" as const) : tools === "gate",
    categories: categories === undefined ? undefined : namesIn(categories),
    budget: Object.fromEntries(Object.entries(budget).filter(([, one]) => one !== undefined)),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, one]) => one !== undefined));
}
