/** Names for the variables that take the place of secrets: one name never stands for two values. */
import type { Environment } from "../../../../config/folders.ts";
import { explainBadReferences } from "../../../../config/settings/variables.ts";

export interface VariableNames {
  /** The first of the wanted names that nobody uses, or that stands for this secret already. */
  nameFor(secret: string, wanted: readonly string[]): string;
}

/** `referenced`: names that are used elsewhere; what they stand for is known only if they are set. */
export function createVariableNames(
  env: Environment = {},
  referenced: readonly string[] = [],
): VariableNames {
  const given = new Map<string, string>();
  const used = new Set(referenced);
  const canBe = (name: string, secret: string): boolean => {
    if (explainBadReferences(`\${${name}}`) !== undefined) return false;
    const value = env[name] || given.get(name);
    return value === undefined ? !used.has(name) : value === secret;
  };
  return {
    nameFor(secret, wanted) {
      const last = wanted.at(-1) ?? "";
      let name = wanted.find((one) => canBe(one, secret));
      for (let twin = 2; name === undefined; twin += 1)
        if (canBe(`${last}_${twin}`, secret)) name = `${last}_${twin}`;
      given.set(name, secret);
      return name;
    },
  };
}
