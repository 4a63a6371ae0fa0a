/** The official suite against the real endpoint: every check passes, or not-applicable.json says why it cannot. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Check, type Revision, runSuite } from "./run-suite.ts";
import { openSuiteWorld, type SuiteWorld } from "./world.ts";

interface NotApplicable {
  readonly revisions: readonly Revision[];
  readonly scenario: string;
  /** Without it: every check of the scenario. */
  readonly checks?: readonly string[];
  readonly reason: string;
}

const listed = JSON.parse(
  readFileSync(new URL("not-applicable.json", import.meta.url), "utf8"),
) as readonly NotApplicable[];

describe.each(["2025-11-25", "2026-07-28"] as const)("the conformance suite of %s", (revision) => {
  const here = listed.filter(({ revisions }) => revisions.includes(revision));
  const folder = mkdtempSync(join(tmpdir(), "toolgate-conformance-"));
  let world: SuiteWorld;
  let found: ReadonlyMap<string, readonly Check[]>;

  beforeAll(async () => {
    world = await openSuiteWorld();
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
    const passed = [...found].filter(([, checks]) => checks.some(({ status }) => status === "SUCCESS"));
    console.log(`${revision}: ${found.size} scenarios, ${passed.length} with checks that passed`);
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
