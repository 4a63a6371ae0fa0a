/** The tools of a gate as its owner, a surface or a model sees them. */
import type { Caller, Mode } from "../core/call/call.ts";
import { Stop } from "../core/call/errors.ts";
import { shapesOf } from "../core/input/input-shapes.ts";
import { isJsonObject, type TakenJson } from "../core/input/json.ts";
import { shownName } from "../core/text/visible.ts";
import type { Categories } from "../core/tool/categories.ts";
import {
  type RegisteredTool,
  Registry,
  type ToolDefinition,
  type ToolSource,
} from "../core/tool/registry.ts";
import type { CompileSchema, ValidationResult } from "../core/tool/schema.ts";
import type { Plans } from "../pipeline/plans.ts";
import { explainNotCallable } from "../pipeline/stages/permit.ts";
import type { IsHidden } from "../rules/hidden-tools.ts";
import { deniesAlways } from "../rules/policies.ts";

export interface ToolView {
  readonly id: string;
  readonly wireName: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly permission: string;
  readonly source: ToolSource;
  readonly callable: boolean;
  /** Why not, if not. */
  readonly why?: Stop;
}

export interface Viewer {
  readonly caller?: Caller;
  readonly mode?: Mode;
}

/** What the tools of a gate are looked at with. */
export interface ToolsParts {
  readonly categories: Categories;
  readonly plans: Plans;
  readonly defaultCaller: Caller;
  readonly takeJson: (value: unknown) => TakenJson;
  /** Undefined: everybody sees every tool. */
  readonly isHidden: IsHidden | undefined;
}

/** The registry of a gate, and what a caller sees of it. */
export class Tools extends Registry {
  readonly #parts: ToolsParts;
  /** Looked at once for each set of rules. */
  #asked: { readonly rules: object; readonly differ: boolean } | undefined;

  constructor(parts: ToolsParts, compile: CompileSchema, onChange: () => void) {
    super(parts.categories, compile, onChange);
    this.#parts = parts;
  }

  /** The tool of this name, unless it is hidden from the caller. Undefined: from the default caller. */
  seenBy(caller: Caller | undefined, name: string): RegisteredTool | undefined {
    const registered = this.get(name);
    return registered !== undefined && this.#isSeen(registered, caller ?? this.#parts.defaultCaller)
      ? registered
      : undefined;
  }

  #isSeen(registered: RegisteredTool, caller: Caller): boolean {
    return this.#parts.isHidden?.(registered, caller) !== true;
  }

  /** Every tool that this caller sees, with what stands in its way. */
  view({ caller = this.#parts.defaultCaller, mode = "act" }: Viewer = {}): ToolView[] {
    const seen = this.list().filter((registered) => this.#isSeen(registered, caller));
    return seen.map((registered) => {
      const { tool } = registered;
      const why = this.#whyNot(registered, caller, mode);
      return {
        id: registered.id,
        wireName: registered.wireName,
        title: tool.title ?? registered.id,
        description: tool.description,
        category: registered.category,
        permission: tool.permission,
        source: registered.source,
        callable: why === undefined,
        ...(why && { why }),
      };
    });
  }

  /** What a model is told: only tools that this caller could ever call. */
  definitions(viewer: Viewer = {}): ToolDefinition[] {
    return this.callable(viewer).map(({ tool, wireName, inputSchema }) => ({
      name: wireName,
      ...(tool.title !== undefined && { title: tool.title }),
      description: tool.description,
      inputSchema,
    }));
  }

  /** Those that this caller could ever call. */
  callable({ caller = this.#parts.defaultCaller, mode = "act" }: Viewer = {}): RegisteredTool[] {
    return this.list().filter(
      (one) => this.#isSeen(one, caller) && this.#whyNot(one, caller, mode) === undefined,
    );
  }

  /** Callers with the same key see the same tools: who shows them may keep a list for each. */
  viewKey({ id, owner, capabilities, categories, rights }: Caller): string {
    const differ = this.#parts.isHidden !== undefined || this.#policiesDiffer();
    return JSON.stringify([capabilities, categories, ...(differ ? [id, owner, rights] : [])]);
  }

  #policiesDiffer(): boolean {
    const { rules } = this.#parts.plans;
    if (this.#asked?.rules !== rules)
      this.#asked = { rules, differ: "policies" in rules && rules.policies.some(({ caller }) => caller) };
    return this.#asked.differ;
  }

  /** Is this input valid for the tool? Says nothing about permission. */
  async validateCall(name: string, input: unknown): Promise<ValidationResult> {
    const registered = this.get(name);
    if (registered === undefined) {
      const close = this.suggest(name);
      const message = `There is no tool ${shownName(name)}.${close.length > 0 ? ` Did you mean "${close[0]}"?` : ""}`;
      return {
        ok: false,
        issues: [{ path: "$", expected: "a registered tool", received: shownName(name), message }],
      };
    }
    const taken = this.#parts.takeJson(input);
    if (taken.ok) {
      const shape = shapesOf(registered.tool.input).get(name);
      const shaped = shape !== undefined && isJsonObject(taken.value) ? shape(taken.value) : taken.value;
      return registered.validateInput(shaped);
    }
    const message = `${taken.path}: ${taken.message}`;
    return {
      ok: false,
      issues: [{ path: taken.path, expected: "plain JSON", received: taken.message, message }],
    };
  }

  #whyNot(registered: RegisteredTool, caller: Caller, mode: Mode): Stop | undefined {
    const barred = explainNotCallable(registered, caller, this.#parts.categories);
    if (barred !== undefined) return barred;
    const { tool } = registered;
    // A shell stays in plan mode: single commands may only read.
    if (mode === "plan" && tool.permission !== "read" && !registered.isShell) {
      return new Stop(
        "plan_mode",
        "permit",
        `${registered.id} does more than read. Plan mode allows reading only.`,
      );
    }
    if (deniesAlways(this.#parts.plans.of(registered).plan.policies, mode, caller)) {
      return new Stop("policy_denied", "permit", `A policy denies every call of ${registered.id}.`);
    }
    return undefined;
  }
}
