/** The official suite against the real endpoint: every check passes, or not-applicable.json says why it cannot. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGatewayWorld } from "./gateway-world.ts";
import { type Check, type Revision, runSuite } from "./run-suite.ts";
import { openSuiteWorld, type SuiteWorld } from "./world.ts";

/**
 * `server`: the gate's own endpoint. `gateway`: the same, and everything the suite looks at is on an upstream server behind it. `bridge`: that
 * server speaks the protocol of the other era.
 */
type Where = "server" | "gateway" | "bridge";

interface NotApplicable {
  readonly revisions: readonly Revision[];
  /** Without it: everywhere. */
  readonly where?: readonly Where[];
  readonly scenario: string;
  /** Without it: every check of the scenario. */
  readonly checks?: readonly string[];
  readonly reason: string;
}

const listed = JSON.parse(
  readFileSync(new URL("not-applicable.json", import.meta.url), "utf8"),
) as readonly NotApplicable[];

describe.each([
  ["2025-11-25", "server"],
  ["2026-07-28", "server"],
  ["2025-11-25", "gateway"],
  ["2026-07-28", "gateway"],
  ["2025-11-25", "bridge"],
  ["2026-07-28", "bridge"],
] as const)("the conformance suite of %s against the %s", (revision, where) => {
  const here = listed.filter(
    (one) => one.revisions.includes(revision) && (one.where ?? [where]).includes(where),
  );
  const folder = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
  let world: Omit<SuiteWorld, "direct">;
  let found: ReadonlyMap<string, readonly Check[]>;

  beforeAll(async () => {
    const era = (revision === "2026-07-28") === (where === "gateway") ? "modern" : "legacy";
    world = await (where === "server" ? openSuiteWorld() : openGatewayWorld(era));
    found = await runSuite(world.url, revision, folder);
  }, 120_000);

  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("finds nothing that is not listed", () => {
    const wrong = [...found].flatMap(([scenario, checks]) =>
      checks
        .filter((check) => isWrong(check) && !here.some((one) => covers(one, scenario, check.id)))
        .map(({ id, status, errorMessage }) => `${scenario}: ${id}: ${status}: ${errorMessage}`),
    );
    expect(wrong).toEqual([]);
  });

  it("still needs everything that is listed", () => {
    const stale = here.filter(({ scenario, checks }) => {
      const wrong = (found.get(scenario) ?? []).filter(isWrong).map(({ id }) => id);
      return checks === undefined ? wrong.length === 0 : checks.some((id) => !wrong.includes(id));
    });
    expect(stale).toEqual([]);
  });

  it("tries everything that it has", () => {
    const empty = [...found].filter(([, checks]) => !checks.some(({ status }) => status === "SUCCESS"));
    // A real server holds a stream for longer than the suite waits to see it left.
    const known = where === "server" || revision === "2026-07-28" ? [] : ["server-sse-polling"];
    expect(empty.map(([scenario]) => scenario)).toEqual(known);
    expect(found.size).toBeGreaterThanOrEqual(revision === "2025-11-25" ? 33 : 40);
  });

  it("breaks nothing inside", () => {
    expect(world.broken).toEqual([]);
  });
});

function isWrong({ status }: Check): boolean {
  return status === "FAILURE" || status === "WARNING";
}

function covers(one: NotApplicable, scenario: string, check: string): boolean {
  return one.scenario === scenario && (one.checks === undefined || one.checks.includes(check));
}
