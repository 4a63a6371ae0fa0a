/** A judge for histories that were made up: one real gate for each workspace, with nothing on the disk. */

import type { AnyTool } from "../../src/core/tool/tool.ts";
import type { Gate } from "../../src/gate/gate.ts";
import { createGate } from "../../src/index.ts";
import { lookAt } from "../../src/replay/look-at.ts";
import type { Rules } from "../../src/rules/rule-set.ts";
import type { JudgedAs, RuleJudge } from "../../src/suggest/judge.ts";

export interface GateJudge extends RuleJudge, AsyncDisposable {}

export function createGateJudge(rules: Rules, rulesVersion = "1", tools: readonly AnyTool[] = []): GateJudge {
  const gates = new Map<string, Promise<Gate>>();
  const gateOf = (workspace: string) => {
    const gate = gates.get(workspace) ?? createGate({ roots: [workspace], tools: [...tools] });
    gates.set(workspace, gate);
    return gate;
  };
  return {
    rules,
    rulesVersion,
    policiesIn: async () => rules.policies ?? [],
    async look(calls) {
      const found = [];
      for (const call of calls) found.push(lookAt(await gateOf(call.workspace), call));
      return found;
    },
    async judge(calls, { added = {}, removed = [] } = {}) {
      const stays = ({ name }: { readonly name: string }) => !removed.includes(name);
      const now: Rules = {
        routes: [...(added.routes ?? []), ...(rules.routes ?? []).filter(stays)],
        // Histories are of one year, and tests run in any.
        policies: [
          ...(added.policies ?? []).map(({ until: _, ...policy }) => policy),
          ...(rules.policies ?? []).filter(stays),
        ],
      };
      for (const workspace of new Set(calls.map((call) => call.workspace)))
        await (await gateOf(workspace)).setRules(now);
      const known = new Map<string, JudgedAs>();
      const found: JudgedAs[] = [];
      for (const { askedFor, kind, input, cwd, workspace, caller } of calls) {
        const key = JSON.stringify([askedFor, kind, input, cwd, workspace, caller]);
        let judged = known.get(key);
        if (judged === undefined) {
          const gate = await gateOf(workspace);
          const request = { tool: askedFor, input, cwd, caller: { id: caller, capabilities: ["*"] } };
          const { verdict, rule } = await gate.explain(request, { as: kind });
          judged = { verdict, ...(rule && { rule }) };
          known.set(key, judged);
        }
        found.push(judged);
      }
      return found;
    },
    async [Symbol.asyncDispose]() {
      for (const gate of gates.values()) await (await gate).close();
    },
  };
}
