/** The one register of tools: every name leads to exactly one tool, looked up in a Map and nowhere else. */

import { ToolgateError } from "../call/errors.ts";
import { fingerprint } from "../input/fingerprint.ts";
import { isShell, type RoleIndex, rolesOf } from "../input/input-roles.ts";
import type { Json } from "../input/json.ts";
import type { Categories } from "./categories.ts";
import type { CompiledSchema, CompileSchema, FlatField, JsonSchema, ValidateInput } from "./schema.ts";
import { type AnyTool, explainBadTool, type RunLock, readToolOnce, runLockOf } from "./tool.ts";
import { closestNames, explainBadToolId, toWireName } from "./tool-name.ts";

export interface ToolSource {
  readonly kind: "builtin" | "plugin" | "upstream" | "library";
  /** The plugin or upstream server. */
  readonly name?: string;
  /** The plugin's file. */
  readonly file?: string;
  /** Of what the tool runs, where that is data: an approval for one command must not hold for another. */
  readonly digest?: string;
}

export interface RegisteredTool {
  readonly id: string;
  /** Read once, when it was registered. */
  readonly tool: AnyTool;
  /** The very object that was registered, to be recognised by. */
  readonly given: AnyTool;
  readonly source: ToolSource;
  readonly category: string;
  readonly wireName: string;
  /** Every name it answers to: id, wire name, aliases. */
  readonly names: readonly string[];
  readonly roles: RoleIndex;
  /** Its commands are its risk: declared by the capability `shell:run` or by naming its command field. */
  readonly isShell: boolean;
  readonly capabilities: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly validateInput: ValidateInput;
  /** Set when the input is a closed object of plain fields: it can be taken and checked in one look. */
  readonly flatInput: readonly FlatField[] | undefined;
  readonly validateOutput: ValidateInput | undefined;
  readonly lock: RunLock;
  /** Changes with every byte of the definition. */
  readonly definitionHash: string;
}

/** Why a name leads to no tool although there could be one. */
export interface Withheld {
  readonly message: string;
  readonly hint: string;
}

/** What a model is told about a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export class Registry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #byName = new Map<string, RegisteredTool>();
  readonly #aliases = new Map<string, string[]>();
  readonly #withheld = new Map<string, Withheld>();
  readonly #categories: Categories;
  readonly #compile: CompileSchema;
  readonly #onChange: () => void;
  /** Set while many changes are made at once: whether there was one. */
  #batch: { changed: boolean } | undefined;

  constructor(categories: Categories, compile: CompileSchema, onChange: () => void) {
    this.#categories = categories;
    this.#compile = compile;
    this.#onChange = onChange;
  }

  /** Many changes, told as one. Must not wait: calls that come in between would see half of them. */
  batch<Result>(change: () => Result): Result {
    if (this.#batch !== undefined) return change();
    const batch = { changed: false };
    this.#batch = batch;
    try {
      return change();
    } finally {
      this.#batch = undefined;
      if (batch.changed) this.#onChange();
    }
  }

  /** Throws on a taken name, an unknown category or a bad definition; then nothing is registered. */
  register(tool: AnyTool, source: ToolSource = { kind: "library" }): void {
    const registered = this.#prepare(tool, source);
    for (const name of registered.names) this.#refuseTaken(name, registered.id);
    this.#put(registered);
  }

  /** Puts another tool under a taken id. Aliases given by `alias` stay; its own come with it. */
  replace(tool: AnyTool, source: ToolSource = { kind: "library" }): void {
    const old = this.#tools.get(tool.id);
    if (old === undefined)
      throw new ToolgateError(`There is no tool "${tool.id}" to replace; register it instead.`);
    const registered = this.#prepare(tool, source);
    for (const name of registered.names) {
      const holder = this.#byName.get(name);
      if (holder !== undefined && holder !== old) this.#refuseTaken(name, tool.id);
    }
    for (const name of old.names) this.#byName.delete(name);
    this.#put(registered);
  }

  unregister(id: string): boolean {
    const old = this.#tools.get(id);
    if (old === undefined) return false;
    this.#tools.delete(id);
    this.#aliases.delete(id);
    for (const name of old.names) this.#byName.delete(name);
    this.#changed();
    return true;
  }

  /** A second name, resolved before any rule sees the call. The target is an id: there are no chains. */
  alias(name: string, target: string): void {
    const bad = explainBadToolId(name);
    if (bad !== undefined) throw new ToolgateError(bad);
    const registered = this.#tools.get(target);
    if (registered === undefined) {
      throw new ToolgateError(
        this.#byName.has(target)
          ? `Alias "${name}" points to "${target}", which is itself another name; point it to "${this.#byName.get(target)?.id}".`
          : `Alias "${name}" points to "${target}", which is not a registered tool.`,
      );
    }
    this.#refuseTaken(name, target);
    this.#aliases.set(target, [...(this.#aliases.get(target) ?? []), name]);
    this.#put({ ...registered, names: [...registered.names, name] });
  }

  /** Whoever calls this name is told why there is no such tool now. It is in no list. `undefined` ends it. */
  withhold(name: string, why: Withheld | undefined): void {
    if (why === undefined) this.#withheld.delete(name);
    else this.#withheld.set(name, why);
  }

  /** Why this name leads to no tool, where somebody said so. */
  withheld(name: string): Withheld | undefined {
    return this.#withheld.get(name);
  }

  /** By id, wire name or alias. */
  get(name: string): RegisteredTool | undefined {
    return this.#byName.get(name);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  list(): RegisteredTool[] {
    return [...this.#tools.values()];
  }

  get count(): number {
    return this.#tools.size;
  }

  /** Names close to one that nobody has. */
  suggest(name: string): string[] {
    const ids = new Set(
      closestNames(name, this.#byName.keys(), 9).map((near) => this.#byName.get(near)?.id ?? near),
    );
    return [...ids].slice(0, 3);
  }

  #prepare(given: AnyTool, source: ToolSource): RegisteredTool {
    const tool = readToolOnce(given);
    const problem = explainBadTool(tool);
    if (problem !== undefined) throw new ToolgateError(problem);
    const category = tool.category ?? "custom";
    if (this.#categories.get(category) === undefined) {
      throw new ToolgateError(
        `Tool "${tool.id}" names the category "${category}", which is not defined; define it first (categories.define).`,
      );
    }
    for (const alias of tool.aliases ?? []) {
      const bad = explainBadToolId(alias);
      if (bad !== undefined) throw new ToolgateError(`Tool "${tool.id}": ${bad}`);
    }
    const foreign = source.kind === "upstream";
    // A gateway holds hundreds of them, and few are ever called.
    const input = this.#compile(tool.input, { foreign, later: foreign });
    if (!input.ok)
      throw new ToolgateError(`Tool "${tool.id}": its input schema cannot be used: ${input.message}`);
    const output =
      tool.output === undefined ? undefined : this.#compile(tool.output, { foreign, later: foreign });
    if (output?.ok === false)
      throw new ToolgateError(`Tool "${tool.id}": its output schema cannot be used: ${output.message}`);
    const wireName = toWireName(tool.id);
    const names = new Set([
      tool.id,
      wireName,
      ...(tool.aliases ?? []),
      ...(this.#aliases.get(tool.id) ?? []),
    ]);
    return {
      id: tool.id,
      tool,
      given,
      source,
      category,
      wireName,
      names: [...names],
      roles: possibleRoles(rolesOf(tool), input),
      isShell: isShell(tool),
      capabilities: tool.capabilities ?? [],
      inputSchema: input.jsonSchema,
      outputSchema: output?.jsonSchema,
      validateInput: input.validate,
      flatInput: input.flat,
      validateOutput: output?.validate,
      lock: runLockOf(tool),
      definitionHash: fingerprint(definitionOf(tool, source, input.jsonSchema, output?.jsonSchema)),
    };
  }

  #put(registered: RegisteredTool): void {
    const frozen = Object.freeze(registered);
    this.#tools.set(frozen.id, frozen);
    for (const name of frozen.names) this.#byName.set(name, frozen);
    this.#changed();
  }

  #changed(): void {
    if (this.#batch === undefined) this.#onChange();
    else this.#batch.changed = true;
  }

  #refuseTaken(name: string, wanted: string): void {
    const holder = this.#byName.get(name);
    if (holder === undefined) return;
    const what = name === wanted ? `Tool "${name}"` : `The name "${name}" for "${wanted}"`;
    throw new ToolgateError(
      `${what} is taken${holder.id === name ? "" : ` by "${holder.id}"`} (${holder.source.kind}${holder.source.name === undefined ? "" : ` ${holder.source.name}`}). Choose another name, or use replace.`,
    );
  }
}

type UsableSchema = CompiledSchema & { readonly ok: true };

/** A closed schema lets only its own fields through: a call need not look for roles of others. */
function possibleRoles(roles: RoleIndex, { jsonSchema, closed, flat }: UsableSchema): RoleIndex {
  if (!closed || typeof jsonSchema === "boolean") return roles;
  const entries = Object.keys((jsonSchema.properties ?? {}) as object).flatMap((key) => {
    const found = roles.byKey.get(key);
    return found === undefined ? [] : [[key, found] as const];
  });
  const below = flat === undefined ? roles.below : undefined;
  const possible = new Set(entries.flatMap(([, found]) => found.map(({ role }) => role)));
  if (roles.types === true) possible.add("stdin");
  return {
    ...roles,
    byKey: new Map(entries),
    below,
    possible: below === undefined ? possible : roles.possible,
  };
}

function definitionOf(
  tool: AnyTool,
  source: ToolSource,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): Json {
  const { input: _input, output: _output, ...parts } = tool;
  // Functions fall out here: two tools that read the same to a person have one hash, whatever their code.
  return JSON.parse(JSON.stringify({ ...parts, source, inputSchema, outputSchema })) as Json;
}
