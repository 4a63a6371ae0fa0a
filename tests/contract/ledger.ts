/** What every ledger must do: one record per call, and an intent that stays open until the call's record is there. */
import { describe, expect, it } from "vitest";
import type { Ledger, LedgerIntent, LedgerRecord } from "../../src/core/ports/ports.ts";
import { intent, record } from "./samples.ts";

export interface ReadableLedger extends Ledger {
  records(): readonly LedgerRecord[] | Promise<readonly LedgerRecord[]>;
  intents(): readonly LedgerIntent[] | Promise<readonly LedgerIntent[]>;
}

export { intent, record };

export function ledgerContract(name: string, create: () => ReadableLedger | Promise<ReadableLedger>): void {
  describe(`the ledger in ${name}`, () => {
    it("keeps records in the order in which calls ended", async () => {
      const ledger = await create();
      for (const id of ["b", "a", "c"]) await ledger.close(record(id));
      expect((await ledger.records()).map(({ callId }) => callId)).toEqual(["b", "a", "c"]);
    });

    it("gives back what was written", async () => {
      const ledger = await create();
      const refused = record("a", {
        ok: false,
        verdict: "deny",
        code: "policy_denied",
        stage: "permit",
        message: "No.",
        rule: { kind: "policy", name: "no", source: { file: "f.yaml", line: 3 } },
      });
      await ledger.close(refused);
      expect(await ledger.records()).toEqual([refused]);
    });

    it("shows an intent until the call's record closes it", async () => {
      const ledger = await create();
      await ledger.open(intent("a"));
      await ledger.open(intent("b"));
      await ledger.close(record("a"));
      expect(await ledger.intents()).toEqual([intent("b")]);
      expect(await ledger.records()).toHaveLength(1);
    });

    it("takes the record of a call that had no intent", async () => {
      const ledger = await create();
      await ledger.open(intent("a"));
      await ledger.close(record("reader"));
      expect(await ledger.intents()).toHaveLength(1);
      expect(await ledger.records()).toHaveLength(1);
    });
  });
}
