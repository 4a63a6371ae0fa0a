/** Plans of tools, made at the first call and after tools or rules change. Calls in flight keep theirs. */
import { isShell, rolesOf } from "../core/input/input-roles.ts";
import { type InputShape, shapesOf } from "../core/input/input-shapes.ts";
import { findAgentsTool, findKnownTool, type KnownTool, shellLanguage } from "../core/tool/known-tools.ts";
import type { RegisteredTool, Registry } from "../core/tool/registry.ts";
import type { AnyTool } from "../core/tool/tool.ts";
import { toWireName } from "../core/tool/tool-name.ts";
import type { NamedTool } from "../core/tool/tool-pattern.ts";
import { compilePlan, type PlannedRules, type PlannedTool, type ToolPlan } from "../rules/compile-plan.ts";

export interface Planned {
  readonly planned: PlannedTool;
  readonly plan: ToolPlan;
}

interface NamedPlan extends Planned {
  readonly registered: RegisteredTool;
  /** How the input under this name becomes the tool's own. */
  readonly shape: InputShape | undefined;
}

/** Stand in until a call is resolved. */
export const noTool: PlannedTool = Object.freeze({
  id: "",
  names: [],
  category: "",
  permission: "execute" as const,
  capabilities: [],
  roles: rolesOf({ roles: {} }),
  isShell: false,
});
export const emptyPlan: ToolPlan = Object.freeze({
  version: 0,
  routes: [],
  policies: [],
  shadows: [],
  limits: [],
  before: [],
  after: [],
  onError: [],
  onlyPolicies: false,
  whole: [],
  unconditional: false,
  decisions: [],
  callable: { version: -1 },
  withCommand: undefined,
});

function derivation(tool: AnyTool): PlannedTool["derive"] {
  return tool.derive === undefined ? undefined : (args) => tool.derive?.(args);
}

/** Names of foreign tools come from outside; remembering all of them would let a caller fill the memory. */
const maxForeign = 1_000;

export class Plans<Rules extends PlannedRules = PlannedRules> {
  readonly #registry: () => Pick<Registry, "get">;
  #rules: Rules;
  #own = new Map<RegisteredTool, Planned>();
  #byName = new Map<string, NamedPlan>();
  #foreign = new Map<string, Planned>();

  constructor(registry: () => Pick<Registry, "get">, rules: Rules) {
    this.#registry = registry;
    this.#rules = rules;
  }

  get rules(): Rules {
    return this.#rules;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
    this.forget();
  }

  /** Tools changed: names may mean other tools now. */
  forget(): void {
    this.#own = new Map();
    this.#byName = new Map();
    this.#foreign = new Map();
  }

  /** The tool of this name with its plan, by one look: what names mean changes only with the tools. */
  named(name: string): NamedPlan | undefined {
    return this.#byName.get(name) ?? this.#find(name);
  }

  #find(name: string): NamedPlan | undefined {
    const registered = this.#registry().get(name);
    if (registered === undefined) return undefined;
    const shape = shapesOf(registered.tool.input).get(name);
    const found = { registered, shape, ...this.of(registered) };
    this.#byName.set(name, found);
    return found;
  }

  of(registered: RegisteredTool): Planned {
    return this.#own.get(registered) ?? this.#make(registered);
  }

  #make(registered: RegisteredTool): Planned {
    const planned: PlannedTool = {
      id: registered.id,
      names: registered.names,
      category: registered.category,
      permission: registered.tool.permission,
      capabilities: registered.capabilities,
      roles: registered.roles,
      isShell: registered.isShell,
      derive: derivation(registered.tool),
      hidesSecrets: registered.tool.hidesSecrets,
    };
    const made = { planned, plan: compilePlan(this.#rules, planned, this.#sameTool) };
    this.#own.set(registered, made);
    return made;
  }

  /** For a tool that another agent has: by what everybody knows of it, else as dangerous as a tool can be. */
  ofForeign(name: string): Planned {
    const remembered = this.#foreign.get(name);
    if (remembered !== undefined) return remembered;
    const known = findAgentsTool(name);
    const planned = known === undefined ? unknownTool(name) : agentsTool(name, known);
    const made = { planned, plan: compilePlan(this.#rules, planned, this.#sameTool) };
    if (this.#foreign.size >= maxForeign) this.#foreign.delete(this.#foreign.keys().next().value ?? "");
    this.#foreign.set(name, made);
    return made;
  }

  /** A rule's name means the tool that a call by that name would reach; only then what everybody calls so. */
  readonly #sameTool = (ruleName: string, tool: NamedTool): boolean => {
    if (ruleName === tool.id) return true;
    const registered = this.#registry().get(ruleName);
    if (registered !== undefined && registered.id === tool.id) return true;
    if (tool.names.includes(ruleName)) return true;
    const known = findKnownTool(ruleName)?.id;
    return known !== undefined && (known === tool.id || known === findKnownTool(tool.id)?.id);
  };
}

function unknownTool(name: string): PlannedTool {
  return {
    id: name,
    names: [name],
    category: "foreign",
    permission: "execute",
    capabilities: [],
    roles: rolesOf({ id: name }),
    isShell: false,
  };
}

function agentsTool(name: string, known: KnownTool): PlannedTool {
  const { id, category, permission, capabilities, aliases, does } = known;
  const others = does.flatMap((other) => [
    other,
    toWireName(other),
    ...(findKnownTool(other)?.aliases ?? []),
  ]);
  return {
    id,
    names: [...new Set([id, toWireName(id), ...aliases, name, ...others])],
    category,
    permission,
    capabilities,
    roles: rolesOf(known),
    isShell: isShell(known),
    language: shellLanguage(name),
  };
}
