/** What an editor's agent needs: sessions of folders, and the person at the editor. */
import type { Caller } from "../../core/call/call.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";
import type { StartSession } from "../../sessions/start/start-session.ts";

/** The sessions of one folder, and the gate with its rules. */
export interface AcpWorld {
  readonly sessions: Sessions;
  readonly gate: Pick<Gate, "approvals" | "setMode" | "tools">;
}

export interface AcpServerOptions {
  /** Throws an error whose message is for the person. */
  readonly open: (folder: string) => Promise<AcpWorld>;
  /** Owns the sessions and answers their questions. */
  readonly person: Caller;
  /** Default: the one that the configuration names, else the first that misses nothing. */
  readonly runner?: string | undefined;
  readonly tools?: StartSession["tools"];
  readonly model?: string | undefined;
  readonly version: string;
  /** For the log; standard output belongs to the protocol. */
  readonly tell: (message: string) => void;
}
