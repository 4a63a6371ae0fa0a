/** The runner `claude`: sessions whose agent is Claude, by the Claude Agent SDK, which is loaded when one asks for it. */
import type { Agent, Runner } from "../../runner.ts";
import { explainMissingSdk, loadSdk, refuseInside, type SdkPlace } from "./find-sdk.ts";
import { readSdk } from "./sdk.ts";

export interface ClaudeRunnerOptions {
  /** What a session asks for. Default: `claude`. */
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  /** Loads the SDK: `() => import("@anthropic-ai/claude-agent-sdk")`. Default: it is looked for beside toolgate. */
  readonly sdk?: (() => Promise<unknown>) | undefined;
  /** Folders in whose `node_modules` it is looked for, too. No agent may be able to write there. */
  readonly lookIn?: readonly string[] | undefined;
  /** The agent's program. Default: the one that comes with the SDK. */
  readonly executable?: string | undefined;
  /** For the agent's process, besides `ANTHROPIC_*` and the little that every child gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For sessions that name none. Default: the agent's own. */
  readonly model?: string | undefined;
  /** Added to the system prompt of every session. */
  readonly system?: string | undefined;
}

export function createClaudeRunner(options: ClaudeRunnerOptions = {}): Runner {
  const { name = "claude", title = "Claude Agent SDK", sdk, lookIn = [], executable } = options;
  const { env, model, system } = options;
  const place: SdkPlace = { lookIn, executable };
  return {
    name,
    title,
    offers: ["gate", "agent", "none"],
    explainMissing: () => (sdk === undefined ? explainMissingSdk(place) : undefined),
    async open(session): Promise<Agent> {
      if (executable !== undefined) refuseInside(executable, session.cwd);
      const loaded = sdk === undefined ? await loadSdk(place, session.cwd) : readSdk(await sdk());
      // Whoever has no such session never loads what it needs.
      const { ClaudeAgent } = await import("./claude-agent.ts");
      return new ClaudeAgent({ session, sdk: loaded, executable, env, model, system });
    },
  };
}
