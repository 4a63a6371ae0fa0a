/** Everything that outlives a call, and is shared by all processes that use the same store. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { GrantStore } from "../call/approval.ts";
import type { Mode } from "../call/call.ts";
import type { ApprovalStore } from "./approval-store.ts";
import type { EndedClients } from "./ended-clients.ts";
import type { LedgerAnchor, LedgerReader } from "./ledger-reader.ts";
import type { ParkedStore } from "./parked.ts";
import type { PinStore } from "./pins.ts";
import type { Ledger, LimitStore } from "./ports.ts";
import type { SessionStore } from "./sessions.ts";
import type { TaskStore } from "./tasks.ts";
import type { TokenStore } from "./tokens.ts";

/**
 * Methods answer with promises, or at once where the store has the answer in memory. What fails rejects with
 * a StoreError, and then the call does not run.
 */
export interface Store extends AsyncDisposable {
  readonly ledger: StoreLedger;
  readonly approvals: ApprovalStore;
  readonly grants: GrantStore;
  readonly limits: LimitStore;
  readonly pins: PinStore;
  readonly tokens: TokenStore;
  readonly modes: ModeStore;
  readonly tasks: TaskStore;
  readonly sessions: SessionStore;
  readonly processes: Processes;
  /** Absent: all clients of a call come to the process that holds it. */
  readonly parked?: ParkedStore;
  /** Absent: no other process serves the same clients. */
  readonly endedClients?: EndedClients;
  /** Known to all processes on all machines. Absent: each state folder has its own. */
  readonly sharedSecret?: Uint8Array;
  /** Which anchors take no checkpoints now, and why. */
  failingAnchors(): readonly { readonly name: string; readonly why: string }[];
  /** For what goes to other files, such as long output. */
  readonly redactText: (text: string) => string;
  /**
   * Signs what is there and lets go of it. Close the gates that use it first. Rejects with a StoreError when
   * not everything could be taken into the ledger: the store is closed all the same, and the next process
   * takes the rest.
   */
  close(): Promise<void>;
}

/** A database that several machines share. */
export interface PostgresPlace {
  /** `postgres://USER@HOST:PORT/DATABASE`; what it does not say comes from a service file or from PGHOST and the like. */
  readonly url: string;
  /** Holds the password and nothing else. Default: that of the URL, of PGPASSWORD or of `~/.pgpass`. */
  readonly passwordFile?: string;
  /** A file with the certificates that the server's has to be signed by. */
  readonly ca?: string;
}

export interface StoreOptions {
  /** Absolute; made if it is not there, private to its owner. */
  readonly stateFolder: string;
  /** Records, approvals, grants, limits, pins and tokens are kept there. Default: in the state folder. */
  readonly postgres?: PostgresPlace;
  /** What a record survives. Default: `process-death`; `power-loss` waits for the disk at every commit. */
  readonly durability?: "process-death" | "power-loss";
  /** Older records are removed with a signed note, now and every few hours. Default: they are kept. */
  readonly keepDays?: number;
  /** Signed checkpoints are also kept there: `verify` then finds that the whole state folder was put back. */
  readonly anchors?: readonly LedgerAnchor[];
  /** Nothing is brought to these; `verify` compares with those that are files. */
  readonly comparedAnchors?: readonly LedgerAnchor[];
  /** Hears when an anchor fails, and when it works again. */
  readonly onAnchor?: (message: string) => void;
  /** Values that must never be stored, wherever they stand, besides what looks like a secret. */
  readonly secrets?: readonly string[];
  readonly approvals?: {
    /** A denial also rejects what else waits in the session. Default: true. */
    readonly rejectOthers?: boolean;
    /** Of all processes together. Default: 100. */
    readonly maxPending?: number;
  };
}

/** What is read and written without the ledger: whoever takes something back must not need one that works. */
export type StoreParts = Pick<Store, "pins" | "tokens"> & AsyncDisposable;

export interface StoreLedger extends Ledger, LedgerReader {
  open(...args: Parameters<Ledger["open"]>): Promise<void>;
  note(...args: Parameters<NonNullable<Ledger["note"]>>): Promise<void>;
  /** Rejects with the StoreError that a call would be refused with now. */
  tryOut(): Promise<void>;
}

/** Which sessions are in plan mode. */
export interface ModeStore {
  /** From memory: every call asks. */
  of(sessionId: string | undefined, callerId: string): Mode;
  /**
   * What a caller chooses holds for its own calls in the session. Without a caller it is the program's word:
   * it holds for all who name the session, and replaces what callers chose before. Holds here at once; a
   * promise resolves when it is kept for other processes.
   */
  set(sessionId: string, mode: Mode, callerId?: string): void | Promise<void>;
}

/** Who uses the store. What a process held is released when the process is gone. */
export interface Processes {
  /** Of this process. */
  readonly id: string;
  /** Ids of those that run, this one included. */
  living(): Promise<readonly string[]>;
  /** Absent: all of them are on one machine and read the same files. */
  readonly rules?: {
    /** By what rules this process decides. */
    say(version: string): Promise<void>;
    /** Some that live decide by other rules, as far as was heard in the last seconds. */
    readonly differ: boolean;
  };
}
