/** Small facts that every process has in memory and that all of them share: ended tasks, plan modes. */
import type { PostgresContext } from "./context.ts";
import type { Statements } from "./database.ts";

export type FactKind = "task" | "mode";

export interface Fact {
  readonly key: string;
  /** Undefined: no longer so. */
  readonly value: string | undefined;
  /** Who said it: a state folder for a task, a process for a mode. */
  readonly origin: string;
}

const keepMs = 30 * 86_400_000;
const keepGoneMs = 86_400_000;

export class Facts {
  readonly #context: PostgresContext;
  readonly #hear: Readonly<Record<FactKind, (fact: Fact) => void>>;
  #seen = 0;
  #looking: Promise<void> | undefined;
  #again = false;
  #stop = () => {};

  constructor(context: PostgresContext, hear: Readonly<Record<FactKind, (fact: Fact) => void>>) {
    this.#context = context;
    this.#hear = hear;
  }

  async open(): Promise<void> {
    await this.#look();
    this.#stop = this.#context.bells.follow("facts", () => void this.lookSoon());
  }

  close(): void {
    this.#stop();
  }

  /** Kept for all others when the promise resolves. */
  async say(kind: FactKind, facts: readonly Omit<Fact, "origin">[]): Promise<void> {
    const { db, bells, place, nodeId, clock } = this.#context;
    // Files of ended tasks belong to a folder, modes to the memory of a process.
    const origin = kind === "task" ? place : nodeId;
    // One after the other, so that numbers are in the order of commits: whoever reads on by number misses nothing.
    await db.transaction(async (tx) => {
      for (const { key, value } of facts)
        await tx.run(
          `INSERT INTO toolgate.facts VALUES ($1, $2, $3, $4, nextval('toolgate.fact_changes'), $5)
           ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, origin = excluded.origin,
             changed = excluded.changed, at = excluded.at`,
          [kind, key, value ?? null, origin, clock.now()],
        );
    }, "facts");
    bells.ring("facts");
  }

  lookSoon(): Promise<void> {
    if (this.#looking === undefined)
      this.#looking = this.#lookUntilQuiet().finally(() => {
        this.#looking = undefined;
      });
    else this.#again = true;
    return this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    do {
      this.#again = false;
      // What cannot be read now is read by the next look.
      await this.#look().catch(() => {});
    } while (this.#again);
  }

  async #look(): Promise<void> {
    const rows = await this.#context.db.look(
      "SELECT kind, key, value, origin, changed FROM toolgate.facts WHERE changed > $1 ORDER BY changed",
      [this.#seen],
    );
    for (const row of rows) {
      const value = row.value === null ? undefined : String(row.value);
      this.#hear[row.kind as FactKind]?.({ key: String(row.key), value, origin: String(row.origin) });
      this.#seen = Number(row.changed);
    }
  }
}

export async function forgetOldFacts(db: Statements, now: number): Promise<void> {
  await db.run("DELETE FROM toolgate.facts WHERE at < $1 OR (value IS NULL AND at < $2)", [
    now - keepMs,
    now - keepGoneMs,
  ]);
}
