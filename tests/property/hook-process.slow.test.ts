/** The real process against the gate: rules in real files of every tier, calls as an agent writes them. Needs `npm run build`. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTrust } from "../../src/config/trust/trust.ts";
import { visible } from "../../src/core/text/visible.ts";
import type { CallRequest, CheckResult, Policy, Route } from "../../src/index.ts";
import { openConfig, openGate } from "../../src/open/open-config.ts";
import { createProcessWorld, type ProcessWorld, verdictOf } from "../attack/hook-process.ts";
import type { Ended } from "../hook-home.ts";
import { call, checkDefault, policies, routes } from "./hook-rules.ts";

interface Written {
  readonly routes: readonly Route[];
  readonly policies: readonly Policy[];
  readonly checkDefault: string;
  readonly calls: readonly CallRequest[];
}

const callsPerSet = 12;
const written: fc.Arbitrary<Written> = fc.record({
  routes,
  policies,
  checkDefault: checkDefault as fc.Arbitrary<string>,
  calls: fc.array(call.filter(canBeAsked), { minLength: callsPerSet, maxLength: callsPerSet }),
});

/** What an agent can send at all: a name and an object. The rest is refused before any rule is asked. */
function canBeAsked({ tool, input }: CallRequest): boolean {
  return tool !== "" && typeof input === "object" && input !== null && !Array.isArray(input);
}

/** Each tier in its own file: a user's, a trusted project's, one of a plugin. JSON is YAML. */
function writeRules(
  world: ProcessWorld,
  { routes: all, policies: rules, checkDefault: otherwise }: Written,
): void {
  const routesOf = (tiers: readonly (string | undefined)[]) => ({
    routes: byName(
      all.filter(({ tier }) => tiers.includes(tier)).map(({ tier: _, source: __, ...rest }) => rest),
    ),
  });
  const policiesOf = (tiers: readonly (string | undefined)[]) => ({
    policies: byName(
      rules.filter(({ tier }) => tiers.includes(tier)).map(({ tier: _, source: __, ...rest }) => rest),
    ),
  });
  const user = [undefined, "user", "admin"];
  world.write(
    join(world.home, ".config/toolgate/config.yaml"),
    JSON.stringify({ ...routesOf(user), ...policiesOf(user), hooks: { default: otherwise } }, null, 1),
  );
  const project = world.write(
    "toolgate.yaml",
    JSON.stringify({ ...routesOf(["project"]), ...policiesOf(["project"]) }),
  );
  world.write(`${world.base}/plugin.yaml`, JSON.stringify(routesOf(["plugin", "shipped"])));
  const sha256 = createHash("sha256").update(readFileSync(project)).digest("hex");
  addTrust(join(world.home, ".local/state/toolgate"), [{ path: project, sha256 }]);
}

function byName<Rule extends { readonly name: string }>(rules: readonly Rule[]): object {
  return Object.fromEntries(rules.map(({ name, ...rest }) => [name, rest]));
}

function hookInput({ tool, input, mode }: CallRequest, cwd: string): string {
  return JSON.stringify({
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    cwd,
    ...(mode === "plan" && { permission_mode: "plan" }),
  });
}

/** What the process said and what it wrote down, in the words of a check. */
function toldBy(end: Ended, { spoolText }: ProcessWorld): object {
  const line = JSON.parse(spoolText().trimEnd().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
  const said = verdictOf(end);
  const { updatedInput } =
    ((end.out === "" ? {} : (JSON.parse(end.out) as { hookSpecificOutput?: object })).hookSpecificOutput as {
      updatedInput?: unknown;
    } & object) ?? {};
  const { verdict, rule, tool, code } = line;
  return { said: said === "rewrite" ? "passes" : said, verdict, rule, tool, code, input: updatedInput };
}

function toldByGate({ verdict, rule, tool, error, input }: CheckResult): object {
  const denied = verdict === "deny" || verdict === "ask";
  const said = denied ? "deny" : input !== undefined ? "passes" : verdict;
  return JSON.parse(
    JSON.stringify({
      said,
      verdict,
      rule,
      tool,
      code: error?.code,
      ...(!denied && input !== undefined && { input }),
    }),
  ) as object;
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

describe("the bundled process", () => {
  it("gives the verdict that the gate gives, and the message, and writes it down", async () => {
    const seen = new Map<string, number>();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(written, async (rules) => {
        const world = createProcessWorld();
        const realHome = process.env.HOME;
        try {
          mkdirSync(join(world.project, "src"));
          writeFileSync(join(world.project, "src/a.txt"), "a");
          writeFileSync(join(world.project, ".env"), "A=1");
          mkdirSync(join(world.base, "elsewhere"));
          symlinkSync(join(world.base, "elsewhere"), join(world.project, "out"));
          symlinkSync(join(world.project, "src"), join(world.project, "link"));
          writeRules(world, rules);
          await sleep(90);
          process.env.HOME = world.home;
          const env = { HOME: world.home, TOOLGATE_ROUTES: join(world.base, "plugin.yaml") };
          const config = await openConfig({
            cwd: world.project,
            env,
            shippedFile: join(world.base, "program", "hook", "shipped.yaml"),
          });
          expect(config.problems).toEqual([]);
          const gate = await openGate(config);
          for (const asked of rules.calls) {
            const cwd = join(world.project, asked.cwd ?? ".");
            // Elsewhere the process is in another project than the gate.
            if (cwd !== world.project && !cwd.startsWith(`${world.project}/`)) continue;
            const request = { ...asked, cwd };
            const ask = () => world.run(hookInput(asked, cwd), { env });
            let end = await ask();
            let expected = await gate.check(request, { wait: false });
            // On a busy machine a pattern may run out of time, on either side: asked again, it answers.
            for (let again = 0; again < 3 && !isSame(toldBy(end, world), toldByGate(expected)); again++) {
              end = await ask();
              expected = await gate.check(request, { wait: false });
            }
            expect(toldBy(end, world), hookInput(asked, cwd)).toEqual(toldByGate(expected));
            if (expected.verdict === "deny")
              expect(end.err).toContain(visible(expected.message ?? "", { keepNewlines: true }));
            if (expected.verdict === "ask") expect(end.err).toContain("A person's approval would be needed");
            calls++;
            const kind = expected.input === undefined ? expected.verdict : "rewrite";
            seen.set(kind, (seen.get(kind) ?? 0) + 1);
          }
          await gate.close();
        } finally {
          process.env.HOME = realHome;
          world.remove();
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
    expect(calls).toBeGreaterThanOrEqual(60);
    expect([...seen.keys()]).toEqual(expect.arrayContaining(["abstain", "deny", "ask"]));
  });
});
