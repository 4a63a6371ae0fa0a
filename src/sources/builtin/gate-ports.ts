/** What some tools need from their gate: the session's mode, and the tools as a caller sees them. */
import type { CallRequest, Mode } from "../../core/call/call.ts";
import type { Explanation } from "../../core/call/outcome.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import type { MayLoad } from "./browser/options.ts";
import type { ToolCatalogue } from "./mcp/ports.ts";
import type { SessionModes } from "./task/ports.ts";
import { type MayFollow, onlySameHost } from "./web/page/follow-redirects.ts";

/** The part of a gate that is used here. */
export interface GateParts {
  setMode(sessionId: string, mode: Mode, callerId: string): void | Promise<void>;
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
export function portsOfGate(gate: () => GateParts): {
  modes: SessionModes;
  catalogue: ToolCatalogue;
  mayFollow: MayFollow;
  mayLoad: MayLoad;
} {
  return {
    mayFollow: (to, context, from) => mayFollow(aboutUrls(gate(), "web.fetch", context), to, from),
    mayLoad: (to, context, from) => {
      const about = aboutUrls(gate(), "browser.open", context);
      return from === undefined ? whyDenied(about, to) : mayFollow(about, to, from);
    },
    modes: {
      set: (sessionId, mode, callerId) => gate().setMode(sessionId, mode, callerId),
      async mayLeavePlan(input, { sessionId, caller, cwd, roots, mode, toolUseId }) {
        const call = { tool: "task.mode", input, sessionId, caller, cwd, roots, mode, toolUseId };
        const { verdict, rule } = await gate().explain(call);
        // Where a rule asks, a person has said yes before. A default approval is nobody's word.
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

/** What the rules would say about a call of its own for an address. */
type AboutUrl = (url: string) => Promise<Explanation>;

function aboutUrls(gate: GateParts, tool: string, context: ToolContext): AboutUrl {
  const { sessionId, caller, cwd, roots, mode, toolUseId } = context;
  return (url) => gate.explain({ tool, input: { url }, sessionId, caller, cwd, roots, mode, toolUseId });
}

/** A redirect leads only where the rules would let a call of its own go. */
async function mayFollow(about: AboutUrl, to: string, from: string): Promise<string | undefined> {
  const next = await about(to);
  if (next.verdict === "allow") return undefined;
  if (next.verdict === "deny") return refusedBy(next);
  // The call was let through. On the same host, where the same rule asks, that was the answer.
  const elsewhere = onlySameHost(from, to);
  if (elsewhere !== undefined) return elsewhere;
  const { verdict, rule } = await about(from);
  const isSame = verdict === "ask" && rule?.kind === next.rule?.kind && rule?.name === next.rule?.name;
  return isSame ? undefined : "A person has to approve it first.";
}

/** A part of a page that was let through: only what no call may reach is refused. */
async function whyDenied(about: AboutUrl, to: string): Promise<string | undefined> {
  const part = await about(to);
  return part.verdict === "deny" ? refusedBy(part) : undefined;
}

function refusedBy({ message, stage }: Explanation): string {
  return `The rules refuse it: ${message ?? stage}`;
}
