/** The official suite against the real endpoint: every check passes, or not-applicable.json says why it cannot. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGatewayWorld } from "./gateway-world.ts";
import { openSuiteWorld, type SuiteWorld } from "./world.ts";

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

type Revision = "2025-11-25" | "2026-07-28";

const require = createRequire(import.meta.url);
const suite = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

/** Runs the official suite against a server, as its own process. By scenario; all that the suite has for this revision, extensions too. */
async function runSuite(
  url: string,
  revision: Revision,
  folder: string,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "--output-dir", folder];
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  await new Promise((resolve) => child.once("close", resolve));
  const found = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    found.set(scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[]);
  }
  if (found.size === 0) throw new Error(`The suite found nothing to run: ${said.slice(-2_000)}`);
  return found;
}

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

const all = (["server", "gateway", "bridge"] as const).flatMap((where) =>
  (["2025-11-25", "2026-07-28"] as const).map((revision) => [revision, where] as const),
);

describe.each(all)("the conformance suite of %s against the %s", (revision, where) => {
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
