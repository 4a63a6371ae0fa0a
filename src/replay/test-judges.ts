/** The gates that inline tests meet: all files together, each file by itself. Made when they are needed. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf, type RuleRef } from "../core/call/errors.ts";
import { quietly } from "../core/run/quietly.ts";
import { createGate } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import type { Policy } from "../rules/policies.ts";
import type { Route } from "../rules/routes.ts";
import type { Rules } from "../rules/rule-set.ts";

export interface RulesToTest {
  readonly file: string;
  readonly rules: Rules;
}

export interface Problem {
  readonly ok: false;
  readonly problem: string;
}

type Judge = { readonly ok: true; readonly gate: Gate } | Problem;

export class Judges implements AsyncDisposable {
  readonly #sources: readonly RulesToTest[];
  /** The workspace of tests that name none. */
  readonly root: string;
  readonly #alone = new Map<string, Promise<Judge>>();
  readonly #together = new Map<string | undefined, Promise<Judge>>();

  constructor(sources: readonly RulesToTest[], { root }: { readonly root?: string }) {
    this.#sources = sources;
    this.root = realFolder(root ?? process.cwd());
  }

  /** `on`: a policy in shadow mode that is tested as if it were in force. */
  alone({ file, rules }: RulesToTest, on?: string): Promise<Judge> {
    const key = JSON.stringify([file, on]);
    let judge = this.#alone.get(key);
    if (judge === undefined) {
      judge = this.#make(rules, on);
      this.#alone.set(key, judge);
    }
    return judge;
  }

  together(on?: string): Promise<Judge> {
    let judge = this.#together.get(on);
    if (judge === undefined) {
      judge = this.#merge(on);
      this.#together.set(on, judge);
    }
    return judge;
  }

  /** Who calls it closes the gate. */
  beside(
    { rules: { routes = [], policies = [] } }: RulesToTest,
    route: Route,
    on: string | undefined,
  ): Promise<Judge> {
    return this.#make({ routes: [route, ...routes], policies }, on);
  }

  /** Routes of other files that could let a call pass before a rule of this file sees it. */
  letsPass(file: string): Route[] {
    const others = this.#sources.filter((source) => source.file !== file);
    return others.flatMap(({ rules: { routes = [] } }) => routes.filter(({ action }) => action === "allow"));
  }

  /** The file of a rule. Undefined: it is of none, such as what holds by default. */
  fileOf(rule: RuleRef | undefined): string | undefined {
    if (rule === undefined) return undefined;
    const isIt = ({ name }: Route | Policy) => name === rule.name;
    return this.#sources.find(({ rules: { routes = [], policies = [] } }) =>
      rule.kind === "route" ? routes.some(isIt) : rule.kind === "policy" && policies.some(isIt),
    )?.file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const made = await Promise.all([...this.#alone.values(), ...this.#together.values()]);
    const gates = new Set(made.flatMap((judge) => (judge.ok ? [judge.gate] : [])));
    for (const gate of gates) await gate.close();
  }

  /** Files that cannot be used say so themselves; the others are judged without them. */
  async #merge(on: string | undefined): Promise<Judge> {
    const usable: RulesToTest[] = [];
    for (const source of this.#sources) {
      const { routes = [], policies = [] } = source.rules;
      if (routes.length + policies.length === 0) continue;
      if ((await this.alone(source)).ok) usable.push(source);
    }
    const [only, ...others] = usable;
    if (only !== undefined && others.length === 0) return this.alone(only, on);
    return this.#make(
      {
        routes: usable.flatMap(({ rules }) => rules.routes ?? []),
        policies: usable.flatMap(({ rules }) => rules.policies ?? []),
      },
      on,
    );
  }

  async #make({ routes = [], policies: written = [] }: Rules, on: string | undefined): Promise<Judge> {
    const policies = written.map((policy) => {
      const { until, ...lasting } = policy ?? {};
      // Its tests say what it does before its last day.
      const tested = until !== undefined && policy.action === "approve" ? (lasting as Policy) : policy;
      return policy?.name === on && on !== undefined ? { ...tested, mode: "enforce" as const } : tested;
    });
    // Each test narrows them to its own.
    const roots = [...new Set([this.root, ...this.#sources.flatMap(({ rules }) => workspacesIn(rules))])];
    try {
      // Without limits: the hundredth test of a file must not fail because of the ninety-nine before it.
      return { ok: true, gate: await createGate({ routes, policies, roots }) };
    } catch (error) {
      return { ok: false, problem: messageOf(error) };
    }
  }
}

function workspacesIn({ routes = [], policies = [] }: Rules): string[] {
  return [...routes, ...policies].flatMap(({ tests }) =>
    (tests ?? []).flatMap(({ workspace }) => (workspace === undefined ? [] : realFolder(workspace))),
  );
}

/** As gates know their roots. */
export function realFolder(folder: string): string {
  return quietly(() => realpathSync(resolve(folder))) ?? resolve(folder);
}
