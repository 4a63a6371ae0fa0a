/** Texts that come again and again, each kept once and called by a number. 0: no text. */
import type { RuleRef } from "../../../../core/call/errors.ts";

export class Names {
  readonly #ids = new Map<string, number>();
  readonly #texts: string[] = [];

  idOf(text: unknown): number {
    if (text === null || text === undefined) return 0;
    const name = String(text);
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#texts.push(name);
    const id = this.#texts.length;
    this.#ids.set(name, id);
    return id;
  }

  /** Undefined: there is no such text, so nothing has it. */
  find(text: string): number | undefined {
    return this.#ids.get(text);
  }

  textOf(id: number): string | undefined {
    return this.#texts[id - 1];
  }

  /** All that fit. */
  idsWhere(fits: (text: string) => boolean): ReadonlySet<number> {
    const ids = new Set<number>();
    for (const [at, text] of this.#texts.entries()) if (fits(text)) ids.add(at + 1);
    return ids;
  }
}

/** Rules as records have them. One that was moved in its file, or got another priority, is still the same. */
export class RuleNames {
  readonly #byText = new Map<string, number>();
  readonly #byName = new Names();
  readonly #rules: RuleRef[] = [];

  idOf(json: unknown): number {
    if (typeof json !== "string") return 0;
    const known = this.#byText.get(json);
    if (known !== undefined) return known;
    const rule = JSON.parse(json) as RuleRef;
    const id = this.#byName.idOf(`${rule.kind} ${rule.name} ${rule.source?.file ?? ""}`);
    this.#rules[id] ??= rule;
    this.#byText.set(json, id);
    return id;
  }

  ruleOf(id: number): RuleRef | undefined {
    return this.#rules[id];
  }
}
