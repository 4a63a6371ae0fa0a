/** The tool that a call reaches in the end: a proxy's decision about `tools_call` is one about the tool that it hands the call to. */
import type { Json } from "../../../core/input/json.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import type { Gate } from "../../../gate/gate.ts";

export interface CalledTool {
  readonly registered: RegisteredTool;
  readonly input: unknown;
  /** The client named another tool, and may not know this one's schema. */
  readonly isHandedOn: boolean;
}

/** Undefined: there is no such tool, and the gate says so. */
export function calledTool(name: string, input: unknown, tools: Gate["tools"]): CalledTool | undefined {
  const registered = tools.get(name);
  if (registered?.tool.delegate === undefined) return registered && { registered, input, isHandedOn: false };
  let target: { readonly tool: string; readonly input: unknown };
  try {
    target = registered.tool.delegate((input ?? {}) as Json);
  } catch {
    return undefined;
  }
  const reached = tools.get(target.tool);
  return reached && { registered: reached, input: target.input, isHandedOn: true };
}
