/** Reads a YAML or JSON file into plain data that knows where each part stands. */
import type { Json } from "../../../core/input/json.ts";
import { composeYaml } from "./compose-yaml.ts";
import { explainBadText, placesIn, withoutMark } from "./file-text.ts";
import { type Spot, toValue } from "./yaml-value.ts";

export interface Place {
  /** As an editor counts: the first is 1. */
  readonly line: number;
  readonly column: number;
}

export interface YamlProblem extends Place {
  readonly message: string;
  /** The same without a word of the file. Undefined: nobody has said what may be told. */
  readonly plain?: string | undefined;
}

export type Path = readonly (string | number)[];

export type YamlFile =
  | {
      readonly ok: true;
      /** Frozen. An empty file is null. */
      readonly value: Json;
      /** Where a part stands, or its key; of a part that is not there, the nearest one around it. */
      readonly placeOf: (path: Path, part?: "value" | "key") => Place;
    }
  | {
      readonly ok: false;
      readonly problem: YamlProblem;
      /** Besides the first one. */
      readonly more?: readonly YamlProblem[];
      /** What can be looked at to tell what else is wrong; never to be used. */
      readonly rest?: Pick<YamlFile & { readonly ok: true }, "value" | "placeOf">;
    };

export interface YamlLimits {
  readonly maxBytes?: number;
  readonly maxDepth?: number;
  /** Values in the file, those that aliases repeat included. */
  readonly maxValues?: number;
  /** Words and signs, before anything is made of them. */
  readonly maxTokens?: number;
}

/** A mebibyte of rules has about half a million tokens; only the densest YAML has more. */
export const YAML_LIMITS = {
  maxBytes: 1024 * 1024,
  maxDepth: 64,
  maxValues: 200_000,
  maxTokens: 800_000,
} as const;

export function readYaml(text: string, limits: YamlLimits = {}): YamlFile {
  const all = { ...YAML_LIMITS, ...limits };
  const bad = explainBadText(text, all.maxBytes);
  if (bad !== undefined) return refuse(bad);
  const source = withoutMark(text);
  const at = placesIn(source);
  const composed = composeYaml(source, all);
  if (!composed.ok) {
    const { message, plain } = composed;
    return refuse({ ...at(composed.offset), message, plain });
  }
  if (composed.root === null) return { ok: true, value: null, placeOf: () => ({ line: 1, column: 1 }) };
  const taken = toValue(composed.root, all);
  if (!taken.ok) return refuse({ ...at(taken.offset), message: taken.message(at), plain: taken.plain });
  const { value, spot } = taken;
  const placeOf = (path: Path, part: "value" | "key" = "value") => at(offsetOf(spot, path, part));
  const [first, ...more] = taken.repeated.map(({ offset, message, plain }) => ({
    ...at(offset),
    message: message(at),
    plain,
  }));
  if (first === undefined) return { ok: true, value, placeOf };
  return { ok: false, problem: first, more, rest: { value, placeOf } };
}

function refuse(problem: YamlProblem): YamlFile {
  return { ok: false, problem };
}

/** Where a part starts, or its key. */
export function offsetOf(root: Spot, path: Path, part: "value" | "key"): number {
  let spot = root;
  let offset = root.offset;
  for (const step of path) {
    const member = typeof step === "number" ? undefined : spot.members?.get(step);
    const next = typeof step === "number" ? spot.items?.[step] : member?.spot;
    if (next === undefined) return offset;
    spot = next;
    offset = part === "key" ? (member?.keyOffset ?? next.offset) : next.offset;
  }
  return offset;
}
