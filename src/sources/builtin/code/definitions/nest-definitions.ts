/** Puts definitions in order and says which stands in which. What is inside a function is left out. */

export interface Found {
  readonly name: string;
  readonly nameAt: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  readonly signature: string;
}

export interface FoundDefinition {
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly endLine: number;
  readonly signature: string;
  /** How many definitions it stands in. */
  readonly depth: number;
}

/** Kinds whose inside is not shown. */
const closed = new Set(["function", "method", "macro", "property"]);
/** A function in one of these is a method. */
const hasMembers = new Set(["class", "interface", "trait", "impl", "struct", "enum"]);

export function nestDefinitions(found: readonly Found[]): FoundDefinition[] {
  const open: Found[] = [];
  const definitions: FoundDefinition[] = [];
  for (const one of inOrder(onePerName(found))) {
    while (open.length > 0 && (open.at(-1) as Found).end <= one.start) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined && isLocal(one, parent)) continue;
    const { name, line, endLine, signature } = one;
    const isMember = parent !== undefined && hasMembers.has(parent.kind);
    const kind = one.kind === "function" && isMember ? "method" : one.kind;
    definitions.push({ name, kind, line, endLine, signature, depth: open.length });
    open.push(one);
  }
  return definitions;
}

/** Of a constant only the methods of an object count: a function in it belongs to some call. */
function isLocal(one: Found, parent: Found): boolean {
  return closed.has(parent.kind) || (parent.kind === "constant" && one.kind !== "method");
}

/** Several patterns may find the same: the one that says most about it counts. */
function onePerName(found: readonly Found[]): Found[] {
  const byName = new Map<number, Found>();
  for (const one of found) {
    const before = byName.get(one.nameAt);
    if (before === undefined || weight(one) > weight(before)) byName.set(one.nameAt, one);
  }
  return [...byName.values()];
}

function weight({ kind }: Found): number {
  return kind === "constant" ? 0 : kind === "type" ? 1 : 2;
}

function inOrder(found: Found[]): Found[] {
  return found.sort((left, right) => left.start - right.start || right.end - left.end);
}
