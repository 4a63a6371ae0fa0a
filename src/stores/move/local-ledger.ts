/** The ledger of a state folder, while rows of another one are brought there: nobody else uses the file. */
import type { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../core/input/json.ts";
import { nextHash } from "../ledger/chain.ts";
import { addCheckpoint } from "../ledger/checkpoints-file.ts";
import { fieldsOf } from "../ledger/row.ts";
import type { Head } from "../sqlite/ledger/append.ts";
import { statements } from "../sqlite/ledger/statements.ts";

export type LocalHead = Pick<Head, "ledgerId" | "seq" | "hash" | "recordedAt" | "cutSeq" | "cutHash">;

export class LocalLedger {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  head(): LocalHead {
    const row = this.#database.prepare(statements.head).get() as Record<string, unknown>;
    return {
      ledgerId: String(row.ledger_id),
      seq: Number(row.seq),
      hash: String(row.hash),
      recordedAt: Number(row.recorded_at),
      cutSeq: Number(row.cut_seq),
      cutHash: String(row.cut_hash),
    };
  }

  /** Undefined: there is no such row. */
  row(seq: number): { readonly hash: string; readonly body: string } | undefined {
    const row = this.#database.prepare(statements.ofSeq).get(seq);
    return row && { hash: String(row.hash), body: String(row.body) };
  }

  /** An empty ledger begins after this row. A signed note says so. */
  beginAfter(seq: number, stateFolder: string, at: number): void {
    const { ledgerId, hash } = this.head();
    const statement = { kind: "cut", ledger: ledgerId, seq, hash, at } as const;
    addCheckpoint(stateFolder, statement, { sync: true, wasSigned: false, checkPlace: () => {} });
    this.#database.prepare("UPDATE ledger_head SET seq = ?, cut_seq = ? WHERE id = 1").run(seq, seq);
  }

  /** All of them or none, after what is there. */
  append(bodies: readonly string[]): void {
    let { seq, hash, recordedAt } = this.head();
    const insert = this.#database.prepare(statements.append);
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const body of bodies) {
        const fields = fieldsOf(JSON.parse(body) as JsonObject);
        const { kind, at, callId, tool, caller, sessionId, verdict, code, durationMs } = fields;
        seq += 1;
        hash = nextHash(hash, seq, body);
        // It never falls, so a time is found by halving; machines' clocks may differ a little.
        recordedAt = Math.max(recordedAt, fields.recordedAt);
        const names = [callId, tool, caller, sessionId, verdict, code];
        insert.run(seq, hash, body, kind, at, recordedAt, ...names, durationMs);
      }
      this.#database.prepare(statements.moveHead).run(seq, hash, recordedAt);
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}
