/** What the parts of the store work with. */
import type { Redactor } from "../../safe/redact/redact.ts";
import type { Bells } from "./bells.ts";
import type { Database } from "./database.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { Lives } from "./lives.ts";

/** Told and heard with every heartbeat. */
export interface RulesVersions {
  own: string | undefined;
  /** How many others there are among those that live. */
  others: number;
}

export interface PostgresContext {
  readonly db: Database;
  readonly bells: Bells;
  readonly clock: DatabaseClock;
  readonly redactor: Redactor;
  /** This process's row in `nodes`: random, another one with every start. */
  readonly nodeId: string;
  /** Which state folder: its hooks, its copies of checkpoints. */
  readonly place: string;
  readonly stateFolder: string;
  readonly rules: RulesVersions;
  readonly lives: Lives;
}
