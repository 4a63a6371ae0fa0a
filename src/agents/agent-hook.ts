/** The part of an agent's adapter that a call needs: from what it sends, to what it wants to hear. */
import { blockedExit } from "../core/call/blocked-exit.ts";
import type { Mode } from "../core/call/call.ts";
import type { Json, JsonObject } from "../core/input/json.ts";
import type { AgentPlace } from "./agent.ts";

export interface AgentHook {
  /** `place`: for what only the agent's own files tell, such as the names of its MCP servers. */
  read(text: string, place: AgentPlace): ReadHookInput;
  /** Only fields that the agent takes; what it cannot do becomes stricter. `asked`: the call's input. */
  write(event: HookEvent, decision: AgentDecision, asked: JsonObject): HookAnswer;
  /**
   * An entry of ours in the agent's own settings is there, and the agent will ask it. On doubt false: then what
   * it also finds in the settings of another agent asks a second time.
   */
  isInstalled?(place: AgentPlace): boolean;
  /** The agent's own prompt, here and now. Absent: none that was measured to be safe. */
  ownPrompt?(input: HookInput, place: AgentPlace): OwnPrompt;
  /** In plan mode, what the agent needs to make a plan at all: its sub-agents, the file of the plan. */
  needsToPlan?(input: HookInput, place: AgentPlace): boolean;
  /** The tool of toolgate's own MCP server that is called. Undefined: it is another server's tool. */
  toolOfOwnServer?(input: HookInput, place: ServerPlace): string | undefined;
}

/** Say yes only where it was measured: some agents run a call that they were told to ask about, others hang. */
export interface OwnPrompt {
  /** What we answer with `ask` is put to a person, who is waited for; where nobody is there, it is refused. */
  readonly asks: boolean;
  /** Silence about a call that cannot be read in advance makes the agent ask a person by itself. */
  readonly isOn: boolean;
}

export interface ServerPlace extends AgentPlace {
  /** Where a running toolgate says how it is reached. */
  readonly addressFile: string;
}

/** An agent as the hook knows it. */
export interface HookAgent extends AgentHook {
  /** In the record. */
  readonly name: string;
  readonly projectVariable?: string;
  readonly startsInProject?: true;
  readonly isReadByOthers?: boolean;
}

/** `UserPromptSubmit`: a person gives the session something new to do. It is no call. */
export const hookEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"] as const;

export type HookEvent = (typeof hookEvents)[number];

export interface HookInput {
  readonly event: HookEvent;
  /** An MCP server's tool is always `mcp__server__tool` here, whatever the agent calls it. */
  readonly tool: string;
  /** What the agent itself calls the tool, where that differs. */
  readonly agentTool?: string;
  /** As the rules are to see it. `write` gets it back, and turns a changed one into the agent's own form. */
  readonly input: JsonObject;
  readonly mode: Mode;
  /** Where the agent says its version. */
  readonly agentVersion?: string;
  /** As the agent calls it: how much it asks its person. */
  readonly permissionMode?: string;
  /** It held more than Claude Code sends: another program, which has this form besides its own. */
  readonly isForeign?: true;
  readonly sessionId?: string;
  readonly toolUseId?: string;
  /** Absolute. */
  readonly cwd?: string;
  /** Set when a sub-agent makes the call. */
  readonly agentId?: string;
  readonly agentType?: string;
  /** Of a tool of an MCP server: what the agent calls the server, and in which of its settings it stands. */
  readonly server?: { readonly name: string; readonly source: string };
  /** After the call: what the tool answered. */
  readonly response?: Json;
  /** After a failed call. */
  readonly error?: string;
  readonly durationMs?: number;
}

export type ReadHookInput =
  | {
      readonly ok: true;
      readonly input: HookInput;
      /** Who is answered and how, where the form of this very call says it: not the agent, or not as usual. */
      readonly speaker?: Pick<HookAgent, "name" | "write">;
    }
  /** `input`: the call can be read, and is refused for what it is; the record shows it. */
  | { readonly ok: false; readonly message: string; readonly input?: HookInput };

export interface AgentDecision {
  /** `abstain`: say nothing, the agent's own prompts decide. `ask`: only where its own prompt asks. */
  readonly verdict: "allow" | "deny" | "abstain" | "ask";
  /** For the model: why, and what to do instead. */
  readonly reason?: string;
  /** The whole new input, when a rule changed it. */
  readonly input?: JsonObject;
  /** After the call: the task of the session is over, and why. */
  readonly taskEnd?: string;
  /** What the conversation should show to the model. */
  readonly contexts: readonly string[];
  /** What the person should know; the model does not see it. */
  readonly warnings: readonly string[];
}

/** What a hook process leaves behind. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Only standard output says it: should that be spoiled, the agent would run what it asked for. */
  readonly mustArrive?: true;
  /** It is a denial only because a person would have to be asked and nobody can be. */
  readonly nobodyAsked?: true;
}

export const silence: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

/** A denial for every agent that looks at exit codes; `stdout` says it once more in the agent's own form. */
export function blocking(stderr: string, stdout = ""): HookAnswer {
  return { stdout, stderr, exitCode: blockedExit };
}

export const defaultReason = "Blocked by toolgate.";
