import { expect, it } from "vitest";
import { createMemoryApprovals } from "../../src/stores/memory/memory-approvals.ts";
import { hashInput } from "../../src/stores/port/hash-input.ts";
import { createSqliteApprovals } from "../../src/stores/sqlite/approvals/sqlite-approvals.ts";
import type { FakeClock } from "../../src/testing/index.ts";
import { sharedStore } from "../unit/stores/sqlite/temporary-store.ts";
import { checkApprovalStates } from "./approval-states.ts";

const store = sharedStore(["approvals"]);

const desks = {
  memory: [20_000, (clock: FakeClock) => createMemoryApprovals({ clock, hashInput })],
  SQLite: [2_000, (clock: FakeClock) => createSqliteApprovals(store(), { clock })],
} as const;

it.each(["memory", "SQLite"] as const)(
  "nothing runs without a matching approval, over many histories, in %s",
  async (name) => {
    const [runs, create] = desks[name];
    const { ran, refused } = await checkApprovalStates(create, runs);
    process.stdout.write(
      `${name}: ${runs} histories, ${ran} claims ran, ${refused} were refused, 0 without a matching yes\n`,
    );
    expect(ran).toBeGreaterThan(runs / 20);
  },
  300_000,
);
