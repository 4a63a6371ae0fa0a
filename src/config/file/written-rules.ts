/** The rules of a file with their places in it, however the file lists them. */
import type { Shaped } from "../../core/input/shape.ts";
import type { limitShape } from "../../rules/shapes/limit-shape.ts";
import type { policyShape } from "../../rules/shapes/policy-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import type { WrittenFile } from "./file-schema.ts";

export interface WrittenRule<Rule> {
  readonly name: string;
  readonly rule: Rule;
  readonly path: Path;
}

/** For a file of the right shape. */
export function rulesIn({ routes, policies, limits, hooks }: WrittenFile) {
  return {
    routes: listed(routes, ["routes"]),
    policies: listed<Shaped<typeof policyShape>>(policies, ["policies"]),
    limits: listed<Shaped<typeof limitShape>>(limits, ["limits"]),
    hooks: listed(hooks?.commands, ["hooks", "commands"]),
  };
}

type Listed<Rule> =
  | Readonly<Record<string, Rule>>
  | readonly (Rule & { readonly name: string })[]
  | null
  | undefined;

/** By name, or as a list of objects with names. */
function listed<Rule>(written: Listed<Rule>, path: Path): WrittenRule<Rule>[] {
  if (isList(written))
    return written.map((rule, index) => ({ name: rule.name, rule, path: [...path, index] }));
  return Object.entries(written ?? {}).map(([name, rule]) => ({ name, rule, path: [...path, name] }));
}

function isList<Item>(value: object | readonly Item[] | null | undefined): value is readonly Item[] {
  return Array.isArray(value);
}
