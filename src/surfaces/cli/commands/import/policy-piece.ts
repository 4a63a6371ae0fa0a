/** A part of a policy: what one permission becomes. Parts that differ only in a value become one policy. */
import type { JsonObject } from "../../../../core/input/json.ts";

export interface PolicyPiece {
  /** The end of the policy's name: `deny-commands`. */
  readonly slot: string;
  readonly tools: readonly string[];
  readonly action: "approve" | "ask" | "deny";
  readonly reason?: string;
  /** Without its value; pieces with the same one share a list of values. Undefined: the tools alone. */
  readonly condition?: JsonObject;
  readonly value?: string;
  /** What must hold besides. */
  readonly also?: readonly JsonObject[];
  readonly tests?: readonly PieceTest[];
}

export interface PieceTest {
  readonly tool: string;
  readonly input: JsonObject;
  readonly expect: "allow" | "ask" | "block";
}

/** Policies by name, in the order of what they are made of. */
export function joinPieces(pieces: readonly PolicyPiece[], prefix: string): Record<string, JsonObject> {
  const groups = new Map<string, PolicyPiece[]>();
  for (const piece of pieces) {
    const { slot, action, reason, condition, also, tools } = piece;
    // Tools alone are a list, too.
    const of = condition === undefined ? [] : tools;
    const key = JSON.stringify([slot, action, reason, condition, also, of]);
    groups.set(key, [...(groups.get(key) ?? []), piece]);
  }
  const names = new Set<string>();
  return Object.fromEntries(
    [...groups.values()].map((group) => {
      const name = freeName(`${prefix}-${group[0]?.slot}`, names);
      names.add(name);
      return [name, toPolicy(group)];
    }),
  );
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** More tests of one policy say nothing new. */
const mostTests = 12;

function toPolicy(group: readonly PolicyPiece[]): JsonObject {
  const [{ action, reason, condition, also = [] } = group[0] as PolicyPiece] = group;
  const tools = unique(group.flatMap((piece) => piece.tools));
  const values = unique(group.flatMap(({ value }) => (value === undefined ? [] : [value])));
  const own =
    condition === undefined
      ? []
      : [{ ...condition, value: values.length === 1 ? (values[0] as string) : values }];
  const conditions = [...own, ...also];
  const tests = unique(group.flatMap((piece) => piece.tests ?? []).map((test) => JSON.stringify(test)));
  return {
    tools: tools.length === 1 ? (tools[0] as string) : tools,
    action,
    ...(conditions.length > 0 && { conditions }),
    ...(reason !== undefined && { reason }),
    ...(tests.length > 0 && {
      tests: tests.slice(0, mostTests).map((test) => toTest(JSON.parse(test) as PieceTest)),
    }),
  };
}

function toTest({ tool, input, expect }: PieceTest): JsonObject {
  return { input: { tool_name: tool, tool_input: input }, expect };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
