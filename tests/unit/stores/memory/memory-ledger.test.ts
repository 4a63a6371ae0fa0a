import { expect, it } from "vitest";
import { createMemoryLedger } from "../../../../src/stores/memory/memory-ledger.ts";
import { ledgerContract } from "../../../contract/ledger.ts";
import { paperGate, tool } from "../../paper-gate.ts";

ledgerContract("memory", createMemoryLedger);

it("the ledger in memory keeps the newest records, oldest first", async () => {
  const { gate, ledger } = await paperGate({ tools: [tool()] });
  for (let index = 0; index < 5; index++) await gate.dispatch({ tool: "x.run", input: { index } });
  const small = createMemoryLedger({ maxRecords: 3 });
  for (const record of ledger.records()) small.close(record);
  expect(small.records().map(({ input }) => input)).toEqual([{ index: 2 }, { index: 3 }, { index: 4 }]);
});
