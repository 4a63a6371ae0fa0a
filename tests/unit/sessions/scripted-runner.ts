/** An agent that does what a test tells it: text, calls, waiting. */
import type { Agent, Runner, RunnerSession, Turn, TurnEnd } from "../../../src/sessions/runner.ts";

export type Script = (turn: Turn, session: RunnerSession) => Promise<TurnEnd | string | undefined>;

export interface ScriptedRunner extends Runner {
  /** What agents were opened, closed and asked. */
  readonly seen: string[];
}

/** A text that the script returns becomes the agent's message. */
export function scriptedRunner(script: Script, name = "scripted"): ScriptedRunner {
  const seen: string[] = [];
  return {
    name,
    title: "A script",
    offers: ["gate", "agent", "none"],
    seen,
    async open(session): Promise<Agent> {
      seen.push("open");
      return {
        async turn(turn) {
          seen.push(turn.prompt);
          const said = await script(turn, session);
          if (typeof said !== "string") return said ?? { stopReason: "end_turn" };
          await turn.log.message(turn.log.newItem(), said);
          return { stopReason: "end_turn" };
        },
        async close() {
          seen.push("close");
        },
      };
    },
  };
}
