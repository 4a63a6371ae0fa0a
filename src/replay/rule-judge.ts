/** The rules in force, and what they would say with others beside them: for suggestions and their proof. */
import { canonicalJson } from "../core/input/canonical-json.ts";
import type { Json } from "../core/input/json.ts";
import { takeTurns } from "../core/run/take-turns.ts";
import { shortHash } from "../core/text/short-hash.ts";
import type { Gate } from "../gate/gate.ts";
import { namedFiles, type OpenConfig, openConfig } from "../open/open-config.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { JudgedAs, JudgedCall, RuleChange, RuleJudge, SeenCall } from "../suggest/judge.ts";
import { lookAt } from "./look-at.ts";
import { openForReplay, ProjectGates, type ReplayTools } from "./project-gates.ts";

export interface OpenJudge extends RuleJudge, AsyncDisposable {}

export interface JudgeOptions {
  readonly signal?: AbortSignal;
  readonly tools?: ReplayTools;
}

/** Hooks and limits are left out: nothing runs and nothing is counted for a look at the past. */
export function createRuleJudge(config: OpenConfig, { signal, tools }: JudgeOptions = {}): OpenJudge {
  const projects = new ProjectGates((folder) => openProject(folder, config, tools));

  async function gateOf(folder: string, change: RuleChange): Promise<Gate | undefined> {
    const project = await projects.of(folder);
    if (project === undefined) return undefined;
    if (project.change !== change) {
      await project.gate.setRules(changedRules(project.rules, change));
      project.change = change;
    }
    return project.gate;
  }

  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: the gates hold one set of rules at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const working = last.then(work);
    last = working.catch(() => {});
    return working;
  }

  async function lookNow(calls: readonly JudgedCall[]): Promise<readonly (SeenCall | undefined)[]> {
    const seen: (SeenCall | undefined)[] = [];
    const turn = takeTurns();
    for (const call of calls) {
      await turn();
      signal?.throwIfAborted();
      const gate = await gateOf(call.workspace, noChange);
      seen.push(gate && lookAt(gate, call));
    }
    return seen;
  }

  async function judgeNow(
    calls: readonly JudgedCall[],
    change: RuleChange,
  ): Promise<readonly (JudgedAs | undefined)[]> {
    const turn = takeTurns();
    const known = new Map<string, JudgedAs | undefined>();
    const found: (JudgedAs | undefined)[] = [];
    for (const call of calls) {
      const key = keyOf(call);
      if (!known.has(key)) {
        await turn();
        signal?.throwIfAborted();
        const gate = await gateOf(call.workspace, change);
        known.set(key, gate && (await judgeOne(gate, call)));
      }
      found.push(known.get(key));
    }
    return found;
  }

  return {
    rules: config.rules,
    rulesVersion: rulesVersionOf(config),
    async policiesIn(workspaces) {
      const found = new Map((config.rules.policies ?? []).map((one) => [JSON.stringify(one), one]));
      for (const folder of workspaces)
        for (const one of (await projects.of(folder))?.rules.policies ?? [])
          found.set(JSON.stringify(one), one);
      return [...found.values()];
    },
    look: (calls) => inTurn(() => lookNow(calls)),
    judge: (calls, change = noChange) => inTurn(() => judgeNow(calls, change)),
    [Symbol.asyncDispose]: async () => {
      await last;
      await projects.close();
    },
  };
}

const noChange: RuleChange = Object.freeze({});

/** Changes when what the rules say does. */
export function rulesVersionOf({ rules: { routes = [], policies = [], limits = [] } }: OpenConfig): string {
  return shortHash(canonicalJson({ routes, policies, limits } as unknown as Json));
}

async function judgeOne(
  gate: Gate,
  { askedFor, input, kind, cwd, caller }: JudgedCall,
): Promise<JudgedAs | undefined> {
  if (kind === "call" && !gate.tools.has(askedFor)) return undefined;
  const request = { tool: askedFor, input, cwd, caller: { id: caller, capabilities: ["*"] } };
  const { verdict, rule } = await gate.explain(request, { as: kind });
  return { verdict, ...(rule && { rule }) };
}

function keyOf({ askedFor, tool, input, kind, cwd, workspace, caller }: JudgedCall): string {
  return JSON.stringify([askedFor, tool, kind, cwd, workspace, caller, input]);
}

/** A gate by the project's own rules, and what they were changed by. */
interface ProjectGate {
  readonly gate: Gate;
  readonly rules: Rules;
  change: RuleChange | undefined;
  close(): Promise<void>;
}

async function openProject(
  folder: string,
  config: OpenConfig,
  tools: JudgeOptions["tools"],
): Promise<ProjectGate | undefined> {
  const own = await configOf(folder, config);
  if (!own.compiled.ok) return undefined;
  // Neither hooks nor limits. Patterns were tried when the files were read: rules of no file are not again.
  const { routes = [], policies = [] } = own.rules;
  const rules: Rules = {
    routes: routes.map(({ source: _, ...route }) => route),
    policies: policies.map(({ source: _, ...policy }) => policy),
  };
  const opened = await openForReplay(own, folder, tools);
  return { gate: opened.gate, rules, change: undefined, close: () => opened.close() };
}

async function configOf(folder: string, config: OpenConfig): Promise<OpenConfig> {
  const { projectDir, request } = config;
  if (folder === projectDir || namedFiles(request) !== undefined) return config;
  return openConfig({ ...request, cwd: folder, projectDir: folder });
}

function changedRules(
  { routes = [], policies = [] }: Rules,
  { added = {}, removed = [] }: RuleChange,
): Rules {
  const names = new Set([...removed, ...named(added.routes), ...named(added.policies)]);
  const stays = ({ name }: { readonly name: string }) => !names.has(name);
  return {
    routes: [...(added.routes ?? []), ...routes.filter(stays)],
    policies: [...(added.policies ?? []), ...policies.filter(stays)],
  };
}

function named(rules: readonly { readonly name: string }[] = []): string[] {
  return rules.map(({ name }) => name);
}
