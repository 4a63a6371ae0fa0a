/** The hook against the gate: rules in real files of every tier, calls as an agent writes them. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HookAnswer } from "../../src/agents/agent-hook.ts";
import { visible } from "../../src/core/text/visible.ts";
import type { CallRequest, CheckResult, Policy, Route } from "../../src/index.ts";
import { openConfig, openGate } from "../../src/open/open-config.ts";
import { createHookWorld, type HookWorld, said, settle } from "../unit/surfaces/hook/hook-world.ts";
import { call, checkDefault, policies, routes } from "./hook-rules.ts";

interface Written {
  readonly routes: readonly Route[];
  readonly policies: readonly Policy[];
  readonly checkDefault: string;
  readonly calls: readonly CallRequest[];
}

const callsPerSet = 40;
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
function writeRules(world: HookWorld, written: Written): void {
  const of = <Rule extends Route | Policy>(rules: readonly Rule[], tiers: readonly (string | undefined)[]) =>
    byName(rules.filter(({ tier }) => tiers.includes(tier)).map(({ tier: _, source: __, ...rest }) => rest));
  const rulesOf = (...tiers: (string | undefined)[]) => ({
    routes: of(written.routes, tiers),
    policies: of(written.policies, tiers),
  });
  const hooks = { default: written.checkDefault };
  world.user(JSON.stringify({ ...rulesOf(undefined, "user", "admin"), hooks }, null, 1));
  world.trust(world.write("toolgate.yaml", JSON.stringify(rulesOf("project"))));
  const { routes: ofPlugin } = rulesOf("plugin", "shipped");
  world.write(`${world.base}/plugin.yaml`, JSON.stringify({ routes: ofPlugin }));
}

function byName<Rule extends { readonly name: string }>(rules: readonly Rule[]): object {
  return Object.fromEntries(rules.map(({ name, ...rest }) => [name, rest]));
}

function hookInput({ tool, input, mode }: CallRequest, cwd: string): object {
  const planning = mode === "plan" && { permission_mode: "plan" };
  return { hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, cwd, ...planning };
}

/** What the hook said and what it wrote down, in the words of a check. */
function toldBy(answer: HookAnswer, world: HookWorld): object {
  const { permissionDecision, updatedInput } = said(answer);
  const silent = answer.exitCode === 2 ? "deny" : "abstain";
  const { verdict, rule, tool, code } = world.spool().at(-1) ?? {};
  const told = updatedInput === undefined ? (permissionDecision ?? silent) : "passes";
  return { said: told, verdict, rule, tool, code, input: updatedInput };
}

function toldByGate({ verdict, rule, tool, error, input }: CheckResult): object {
  const denied = verdict === "deny" || verdict === "ask";
  const told = denied ? "deny" : input !== undefined ? "passes" : verdict;
  const changed = !denied && input !== undefined && { input };
  return JSON.parse(
    JSON.stringify({ said: told, verdict, rule, tool, code: error?.code, ...changed }),
  ) as object;
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

it("the hook gives the verdict that the gate gives, and the message, and writes it down", {
  timeout: 300_000,
}, async () => {
  const seen = new Set<string>();
  let calls = 0;
  const sameVerdicts = fc.asyncProperty(written, async (rules) => {
    const world = createHookWorld();
    world.write("src/a.txt", "a");
    world.write(".env", "A=1");
    mkdirSync(join(world.base, "elsewhere"));
    symlinkSync(join(world.base, "elsewhere"), join(world.project, "out"));
    symlinkSync(join(world.project, "src"), join(world.project, "link"));
    writeRules(world, rules);
    await settle();
    const env = { ...world.env, TOOLGATE_ROUTES: join(world.base, "plugin.yaml") };
    const config = await openConfig({ cwd: world.project, env });
    expect(config.problems).toEqual([]);
    await using gate = await openGate(config);
    for (const asked of rules.calls) {
      const cwd = join(world.project, asked.cwd ?? ".");
      // Elsewhere the hook is in another project than the gate.
      if (cwd !== world.project && !cwd.startsWith(`${world.project}/`)) continue;
      const ask = async () =>
        [
          await world.claude(hookInput(asked, cwd), { env }),
          await gate.check({ ...asked, cwd }, { wait: false }),
        ] as const;
      let [answer, expected] = await ask();
      // On a busy machine a pattern may run out of time, on either side: asked again, it answers.
      for (let again = 0; again < 3 && !isSame(toldBy(answer, world), toldByGate(expected)); again++)
        [answer, expected] = await ask();
      expect(toldBy(answer, world), JSON.stringify(hookInput(asked, cwd))).toEqual(toldByGate(expected));
      if (expected.verdict === "deny")
        expect(answer.stderr).toContain(visible(expected.message ?? "", { keepNewlines: true }));
      if (expected.verdict === "ask") expect(answer.stderr).toContain("A person's approval would be needed");
      calls++;
      seen.add(`${expected.verdict} ${expected.error?.code ?? expected.rule?.kind ?? "nobody"}`);
      if (expected.input !== undefined) seen.add("rewrite");
    }
  });
  await fc.assert(sameVerdicts, { numRuns: 40, endOnFailure: true });
  expect(calls).toBeGreaterThanOrEqual(1_000);
  // The generator really reaches the ends that it is meant to reach.
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...["rewrite", "abstain nobody", "allow policy", "ask policy", "ask default", "deny route_blocked"],
      ...["deny policy_denied", "deny rewrite_loop", "deny plan_mode", "deny unknown_tool"],
    ]),
  );
});
