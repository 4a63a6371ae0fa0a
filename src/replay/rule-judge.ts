/** The rules in force, and what they would say with others beside them: for suggestions and their proof. */
import { setImmediate as turn } from "node:timers/promises";
import { canonicalJson } from "../core/input/canonical-json.ts";
import type { Json } from "../core/input/json.ts";
import { shortHash } from "../core/text/short-hash.ts";
import type { Gate } from "../gate/gate.ts";
import { namedFiles, type OpenConfig, openConfig } from "../open/open-config.ts";
import { type OpenTools, openTools, type ToolsRequest } from "../open/open-tools.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { JudgedAs, JudgedCall, RuleChange, RuleJudge, SeenCall } from "../suggest/judge.ts";
import { lookAt } from "./look-at.ts";

export interface OpenJudge extends RuleJudge, AsyncDisposable {}

export interface JudgeOptions {
  readonly signal?: AbortSignal;
  /** Which tools there are. By default all that the configuration has. */
  readonly tools?: Pick<ToolsRequest, "pluginFiles" | "upstreams">;
}

const maxProjects = 64;
/** Others get their turn after so many calls. */
const callsAtOnce = 20;

/** Hooks and limits are left out: nothing runs and nothing is counted for a look at the past. */
export function createRuleJudge(config: OpenConfig, { signal, tools }: JudgeOptions = {}): OpenJudge {
  const projects = new ProjectGates(config, tools);
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: the gates hold one set of rules at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const working = last.then(work);
    last = working.catch(() => {});
    return working;
  }

  async function lookNow(calls: readonly JudgedCall[]): Promise<readonly (SeenCall | undefined)[]> {
    const seen: (SeenCall | undefined)[] = [];
    for (const [index, call] of calls.entries()) {
      if (index % callsAtOnce === 0) await turn();
      signal?.throwIfAborted();
      const gate = await projects.gateOf(call.workspace, noChange);
      seen.push(gate && lookAt(gate, call));
    }
    return seen;
  }

  async function judgeNow(
    calls: readonly JudgedCall[],
    change: RuleChange,
  ): Promise<readonly (JudgedAs | undefined)[]> {
    const known = new Map<string, JudgedAs | undefined>();
    const found: (JudgedAs | undefined)[] = [];
    for (const call of calls) {
      const key = keyOf(call);
      if (!known.has(key)) {
        if (known.size % callsAtOnce === 0) await turn();
        signal?.throwIfAborted();
        const gate = await projects.gateOf(call.workspace, change);
        known.set(key, gate && (await judgeOne(gate, call)));
      }
      found.push(known.get(key));
    }
    return found;
  }

  return {
    rules: config.rules,
    rulesVersion: rulesVersionOf(config),
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

interface ProjectGate {
  readonly tools: OpenTools;
  readonly rules: Rules;
  change: RuleChange | undefined;
}

/** One gate for each project, by its own rules: what lies inside the workspace depends on it, too. */
class ProjectGates {
  readonly #config: OpenConfig;
  readonly #tools: NonNullable<JudgeOptions["tools"]>;
  readonly #open = new Map<string, Promise<ProjectGate | undefined>>();

  constructor(config: OpenConfig, tools: JudgeOptions["tools"] = {}) {
    this.#config = config;
    this.#tools = tools;
  }

  /** Undefined: its rules cannot be used, or there are more projects than anybody has. */
  async gateOf(folder: string, change: RuleChange): Promise<Gate | undefined> {
    let opening = this.#open.get(folder);
    if (opening === undefined) {
      if (this.#open.size >= maxProjects) return undefined;
      opening = this.#openProject(folder);
      this.#open.set(folder, opening);
    }
    const project = await opening;
    if (project === undefined) return undefined;
    const { gate } = project.tools;
    if (project.change !== change) {
      await gate.setRules(changedRules(project.rules, change));
      project.change = change;
    }
    return gate;
  }

  async #openProject(folder: string): Promise<ProjectGate | undefined> {
    const config = await this.#configOf(folder);
    if (!config.compiled.ok) return undefined;
    // Neither hooks nor limits. Patterns were tried when the files were read: rules of no file are not again.
    const { routes = [], policies = [] } = config.rules;
    const rules: Rules = {
      routes: routes.map(({ source: _, ...route }) => route),
      policies: policies.map(({ source: _, ...policy }) => policy),
    };
    const request = { ...this.#tools, durable: false, enable: { enableAll: true } };
    const tools = await openTools({ ...config, projectDir: folder }, request);
    return { tools, rules, change: undefined };
  }

  async #configOf(folder: string): Promise<OpenConfig> {
    const { projectDir, request } = this.#config;
    if (folder === projectDir || namedFiles(request) !== undefined) return this.#config;
    return openConfig({ ...request, cwd: folder, projectDir: folder });
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening)?.tools.close();
  }
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
