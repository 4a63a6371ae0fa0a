/** What must hold for every set of rules and every call, tried with many of both. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallRequest, Explanation, Policy, Rules, Verdict } from "../../src/index.ts";
import { tiers } from "../../src/rules/tiers.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { add, read, write } from "../tools.ts";
import { call, limit, named, policies, policy, watchingHook } from "./rules.ts";

const width: Record<Verdict, number> = { allow: 0, abstain: 1, ask: 2, deny: 3 };
const mode = fc.constantFrom("act" as const, "plan" as const);
const kind = fc.constantFrom("call" as const, "check" as const);

async function explain(
  rules: Rules,
  request: CallRequest,
  as: "call" | "check" = "call",
): Promise<Explanation> {
  const { gate } = await createTestGate({ tools: [add, read, write], ...rules });
  return gate.explain(request, { as });
}

export function describeVerdicts(numRuns: number): void {
  const runs = { numRuns };
  /** What is added to the rules never makes a verdict wider. */
  const expectNarrower = async (
    policies: readonly Policy[],
    added: Rules,
    request: CallRequest,
    as: "call" | "check" = "call",
  ) => {
    const first = await explain({ policies }, request, as);
    const second = await explain({ policies, ...added }, request, as);
    expect(width[second.verdict]).toBeGreaterThanOrEqual(width[first.verdict]);
  };
  const sameEnd = (one: Explanation, other: Explanation) =>
    expect([one.verdict, one.stage, one.rule]).toEqual([other.verdict, other.stage, other.rule]);

  describe("adding a rule", () => {
    it("that denies never makes a verdict wider", async () => {
      await fc.assert(
        fc.asyncProperty(
          policies,
          policy(fc.constant("deny")),
          call,
          mode,
          kind,
          async (before, deny, request, inMode, as) => {
            const added = { policies: [...before, { ...deny, name: "added" }] };
            await expectNarrower(before, added, { ...request, mode: inMode }, as);
          },
        ),
        runs,
      );
    });

    it("that limits never makes a verdict wider", async () => {
      await fc.assert(
        fc.asyncProperty(policies, limit, call, (before, added, request) =>
          expectNarrower(before, { limits: [added] }, request),
        ),
        runs,
      );
    });

    it("that only watches (a hook that does not rewrite) never makes a verdict wider", async () => {
      await fc.assert(
        fc.asyncProperty(policies, watchingHook, call, (before, hook, request) =>
          expectNarrower(before, { hooks: [hook] }, request),
        ),
        runs,
      );
    });

    it("that asks widens only a deny of lower priority from the same or a less trusted tier", async () => {
      await fc.assert(
        fc.asyncProperty(policies, policy(fc.constant("ask")), call, async (before, ask, request) => {
          const first = await explain({ policies: before }, request);
          const second = await explain({ policies: [...before, { ...ask, name: "added" }] }, request);
          if (width[second.verdict] >= width[first.verdict]) return;
          const denied = before.find(({ name }) => name === first.rule?.name);
          expect(denied?.action).toBe("deny");
          expect(denied?.priority ?? 0).toBeLessThan(ask.priority ?? 0);
          expect(tiers.indexOf(denied?.tier ?? "user")).toBeLessThanOrEqual(
            tiers.indexOf(ask.tier ?? "user"),
          );
        }),
        runs,
      );
    });

    it("of a less trusted tier never widens what a more trusted one decided", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(policy(), { minLength: 1, maxLength: 4 }),
          policy(),
          call,
          async (trusted, added, request) => {
            const before = named(trusted).map((one) => ({ ...one, tier: "admin" as const }));
            if ((await explain({ policies: before }, request)).rule?.kind !== "policy") return;
            const both: Policy[] = [...before, { ...added, name: "added", tier: "project" }];
            await expectNarrower(before, { policies: both }, request);
          },
        ),
        runs,
      );
    });
  });

  describe("a rewritten call", () => {
    const becomes = fc.constantFrom("a.txt", "src/c.ts", "/etc/passwd", ".env");

    it("gets exactly the verdict its new input would get, when a hook rewrites it", async () => {
      await fc.assert(
        fc.asyncProperty(
          policies,
          becomes,
          fc.constantFrom("notes.read", "notes.write"),
          fc.boolean(),
          async (rules, path, tool, last) => {
            const rewriting = {
              name: "rewrite",
              type: "PreToolUse" as const,
              run: () => ({ modifiedParams: { path } }),
            };
            const refusing = {
              name: "no-secrets",
              type: "PreToolUse" as const,
              run: ({ preToolUse }: { preToolUse: { parameters: unknown } }) => ({
                cancel: JSON.stringify(preToolUse.parameters).includes(".env"),
              }),
            };
            const hooks = last ? [refusing, rewriting] : [rewriting, refusing];
            const routes = [{ name: "no-c", tool: tool, pattern: "c\\.ts$", message: "Not this one." }];
            const viaHook = await explain(
              { policies: rules, hooks, routes },
              { tool, input: { path: "b.txt" } },
            );
            const direct = await explain(
              { policies: rules, hooks: [refusing], routes },
              { tool, input: { path } },
            );
            sameEnd(viaHook, direct);
          },
        ),
        runs,
      );
    });

    it("gets exactly the verdict its new input would get, when a route rewrites it", async () => {
      await fc.assert(
        fc.asyncProperty(
          policies,
          becomes,
          fc.constantFrom("notes.read", "notes.write"),
          async (rules, path, tool) => {
            const blocks = { name: "no-c", tool, pattern: "c\\.ts$", message: "Not this one." };
            const rewrites = {
              name: "rewrite",
              tool,
              pattern: "^b\\.txt$",
              action: "rewrite" as const,
              rewrite: { path },
            };
            const viaRoute = await explain(
              { policies: rules, routes: [blocks, rewrites] },
              { tool, input: { path: "b.txt" } },
            );
            const direct = await explain({ policies: rules, routes: [blocks] }, { tool, input: { path } });
            sameEnd(viaRoute, direct);
          },
        ),
        runs,
      );
    });
  });

  describe("explain", () => {
    it("says what dispatch then does", async () => {
      await fc.assert(
        fc.asyncProperty(policies, call, async (rules, request) => {
          const { gate } = await createTestGate({
            tools: [add, read, write],
            policies: rules,
            answers: ["deny"],
          });
          const { verdict, rule } = await gate.explain(request);
          const outcome = await gate.dispatch(request);
          const code = outcome.ok ? "ran" : outcome.error.code;
          expect(code).toBe(
            verdict === "allow" ? "ran" : verdict === "ask" ? "approval_denied" : "policy_denied",
          );
          if (!outcome.ok && verdict === "deny") expect(outcome.error.rule).toEqual(rule);
        }),
        runs,
      );
    });
  });
}
