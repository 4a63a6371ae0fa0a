/** What some tools need from the gate that holds them: the session's mode, and the tools as a caller sees them. */
import type { CallRequest, Mode } from "../../core/call.ts";
import type { Explanation } from "../../core/outcome.ts";
import type { RegisteredTool } from "../../core/registry.ts";
import type { ToolCatalogue } from "./mcp/ports.ts";
import type { SessionModes } from "./task/ports.ts";

/** The part of a gate that is used here. */
export interface GateParts {
  setMode(sessionId: string, mode: Mode): void;
  explain(request: CallRequest): Promise<Explanation>;
  readonly tools: {
    view(viewer: {
      readonly caller: CallRequest["caller"] & object;
      readonly mode: Mode;
    }): readonly { readonly id: string; readonly callable: boolean }[];
    get(id: string): RegisteredTool | undefined;
  };
}

/** The tools are made before the gate is, so it is asked for when it is needed. */
export function portsOfGate(gate: () => GateParts): { modes: SessionModes; catalogue: ToolCatalogue } {
  return {
    modes: {
      set: (sessionId, mode) => gate().setMode(sessionId, mode),
      async mayLeavePlan(input, { sessionId, caller, cwd, roots, mode, toolUseId }) {
        const call = { tool: "task.mode", input, sessionId, caller, cwd, roots, mode, toolUseId };
        const { verdict, rule } = await gate().explain(call);
        // The call came this far: where a rule asks, a person said yes. Reading being approved by default is nobody's word.
        if (verdict === "ask" || (verdict === "allow" && rule !== undefined && rule.kind !== "default"))
          return true;
        return "Plan mode ends only by a person, or by a policy for task.mode.";
      },
    },
    catalogue: {
      toolsFor: ({ caller, mode }) =>
        gate()
          .tools.view({ caller, mode })
          .flatMap(({ id, callable }) => {
            const tool = gate().tools.get(id);
            return tool === undefined ? [] : [{ tool, callable }];
          }),
    },
  };
}
