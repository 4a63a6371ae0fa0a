/** Where one rule of several that match decides by its place, the others become exceptions of it. */
import type { Permit } from "./own-rule.ts";

export interface Ordered<Text> {
  readonly permit: Permit;
  readonly text: Text;
}

export interface Excepted<Text, Rule extends Ordered<Text>> {
  readonly rule: Rule;
  /** What is taken out of it. */
  readonly except: readonly Text[];
}

/**
 * `rules`: the one that decides comes first. Of policies the strictest decides, so only what asks or denies
 * needs exceptions: whatever another verdict decides before it. `isCertain`: what may be an exception.
 */
export function withExceptions<Text, Rule extends Ordered<Text>>(
  rules: readonly Rule[],
  isCertain: (rule: Rule) => boolean,
): Excepted<Text, Rule>[] {
  return rules.map((rule, index) => {
    if (rule.permit === "allow") return { rule, except: [] };
    const before = rules
      .slice(0, index)
      .filter((other) => isWeaker(other.permit, rule.permit) && isCertain(other));
    return { rule, except: before.map(({ text }) => text) };
  });
}

/** A stricter verdict needs no exception: it counts by itself. */
function isWeaker(permit: Permit, than: Permit): boolean {
  return strictness[permit] < strictness[than];
}

const strictness: Readonly<Record<Permit, number>> = { allow: 0, ask: 1, deny: 2 };
