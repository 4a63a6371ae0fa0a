/** Takes the lines of this machine's hooks into the ledger, each exactly once: position and rows are in one commit. */
import { messageOf } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerKind, LedgerProblem } from "../../../core/ports/ledger-reader.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import { listSpool, removeIfTaken, type TakenUpTo, takeSpoolFile } from "../../ledger/spool/spool-files.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import { correctUnknown } from "./correct-unknown.ts";

export interface IntakePorts {
  readonly toRow: (kind: LedgerKind, facts: JsonObject) => LedgerRow;
  readonly append: (tx: Statements, rows: readonly LedgerRow[]) => Promise<void>;
}

export class SpoolIntake {
  readonly #context: PostgresContext;
  readonly #ports: IntakePorts;
  readonly #problems = new Map<string, string>();

  constructor(context: PostgresContext, ports: IntakePorts) {
    this.#context = context;
    this.#ports = ports;
  }

  async take(): Promise<{ readonly taken: number }> {
    const { stateFolder, bells } = this.#context;
    let taken = 0;
    for (const name of listSpool(stateFolder)) {
      for (;;) {
        const some = await this.#takePiece(name);
        if (some === undefined) break;
        taken += some;
      }
      removeIfTaken(stateFolder, name, { now: Date.now(), known: await this.#known(this.#context.db, name) });
    }
    if (taken > 0) bells.ring("ledger");
    return { taken };
  }

  /** For whoever verifies. */
  get problems(): LedgerProblem[] {
    return [...this.#problems].map(([name, why]) => ({
      kind: "untaken",
      seq: undefined,
      message: `spool/${name} holds records that are not in the ledger: ${why}.`,
    }));
  }

  /** How many lines; undefined: nothing is left. */
  async #takePiece(name: string): Promise<number | undefined> {
    const { db, stateFolder, place } = this.#context;
    // Only one of the processes that share the folder, and of all others that take theirs.
    return db.transaction(async (tx) => {
      const rows: LedgerRow[] = [];
      const ledger = {
        stateFolder,
        now: () => Date.now(),
        append: (kind: LedgerKind, facts: JsonObject) => void rows.push(this.#ports.toRow(kind, facts)),
      };
      const { lines, upTo, problem } = takeSpoolFile(ledger, name, await this.#known(tx, name));
      if (problem === undefined) this.#problems.delete(name);
      else this.#problems.set(name, messageOf(problem));
      if (upTo === undefined) return undefined;
      await tx.run(
        `INSERT INTO toolgate.ledger_spool VALUES ($1, $2, $3, $4) ON CONFLICT (place, name)
         DO UPDATE SET inode = excluded.inode, taken_bytes = excluded.taken_bytes`,
        [place, name, upTo.inode, upTo.bytes],
      );
      if (rows.length > 0) await this.#ports.append(tx, await correctUnknown(tx, rows));
      return lines;
    }, "spool");
  }

  async #known(tx: Statements, name: string): Promise<TakenUpTo | undefined> {
    const [row] = await tx.query(
      "SELECT inode, taken_bytes FROM toolgate.ledger_spool WHERE place = $1 AND name = $2",
      [this.#context.place, name],
    );
    return row && { inode: String(row.inode), bytes: Number(row.taken_bytes) };
  }
}
