/**
 * A decision in the words of Cursor: flat, and never nothing. Its entries are written with `failClosed`, and then an
 * empty answer counts as a hook that failed. `allow` is what its documentation has for "no objection": a denial of
 * another hook wins, and its own list of what needs approval stands.
 */
import type { JsonObject } from "../../core/input/json.ts";
import { type AgentHook, blocking, type HookAnswer, silence } from "../agent-hook.ts";
import { reasonOf } from "../claude-form.ts";
import { runInstead } from "../run-instead.ts";

interface Taken {
  /** `updated_input`. */
  readonly rewrite: boolean;
  /** `agent_message`; without it there is one text for all. */
  readonly agentMessage: boolean;
}

/** Before any tool. */
export const writeToTool = writeWith({ rewrite: true, agentMessage: true });
/** Before a command in a shell and before an MCP server's tool. */
export const writeToShell = writeWith({ rewrite: false, agentMessage: true });
/** Before a file is read. */
export const writeToFile = writeWith({ rewrite: false, agentMessage: false });

function writeWith(taken: Taken): AgentHook["write"] {
  return (event, decision, asked) => {
    const { verdict, input, contexts, reason = "", taskEnd = "" } = decision;
    if (event === "UserPromptSubmit") return silence;
    if (event !== "PreToolUse") return after([...contexts, reason, taskEnd]);
    if (verdict !== "allow" && verdict !== "abstain") return deny(taken, [reasonOf(decision), ...contexts]);
    if (input === undefined) return print({ permission: "allow" });
    if (!taken.rewrite) return deny(taken, [runInstead(asked, input), ...contexts]);
    return { ...print({ permission: "allow", updated_input: input }), mustArrive: true };
  };
}

/** Seen by others: the model reads `user_message`. Documented: it reads `agent_message`. */
function deny({ agentMessage }: Taken, texts: readonly string[]): HookAnswer {
  const reason = texts.filter((text) => text.trim() !== "").join("\n\n");
  const said = { permission: "deny", user_message: reason, ...(agentMessage && { agent_message: reason }) };
  return blocking(`${reason}\n`, print(said).stdout);
}

function after(texts: readonly string[]): HookAnswer {
  const additional_context = texts.filter((text) => text.trim() !== "").join("\n\n");
  return additional_context === "" ? silence : print({ additional_context });
}

function print(said: JsonObject): HookAnswer {
  return { ...silence, stdout: `${JSON.stringify(said)}\n` };
}
