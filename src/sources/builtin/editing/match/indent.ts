/** Gives new lines the indentation that the file uses, learned from the lines that were matched. */

export interface Indentation {
  /** `same`: nothing to carry over. `shifted`: one rule for all lines. `irregular`: a rule for each line. */
  readonly kind: "same" | "shifted" | "irregular";
  /** `near`: the pair of the line it replaces or follows, which counts where there is no rule for all. */
  carryOver(line: string, near?: IndentPair): string;
}

/** The indentation that the edit wrote, and the one of the file's line it stands for. */
export type IndentPair = readonly [written: string, real: string];

export function learnIndentation(pairs: readonly IndentPair[]): Indentation {
  if (pairs.every(([written, real]) => written === real)) return { kind: "same", carryOver: (line) => line };
  const known = new Map<string, string>();
  let regular = true;
  for (const [written, real] of pairs) {
    const before = known.get(written);
    if (before === undefined) known.set(written, real);
    else if (before !== real) regular = false;
  }
  const shift = commonShift([...known]);
  const carry = (indent: string) => {
    const direct = known.get(indent);
    if (direct !== undefined) return direct;
    const base = [...known.keys()]
      .filter((one) => one !== "" && indent.startsWith(one))
      .reduce((longest, one) => (one.length > longest.length ? one : longest), "");
    if (base !== "") return known.get(base)! + inUnitOf(indent.slice(base.length), base, known.get(base)!);
    return shift?.(indent) ?? inFileUnit(indent, known);
  };
  return {
    kind: regular ? "shifted" : "irregular",
    carryOver: (line, near) => {
      const indent = indentOf(line);
      if (indent.length === line.length) return line;
      const real = !regular && near?.[0] === indent ? near[1] : carry(indent);
      return real + line.slice(indent.length);
    },
  };
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** All lines deeper, or all lines less deep, by the same white space. */
function commonShift(pairs: readonly IndentPair[]): ((indent: string) => string) | undefined {
  const [written, real] = pairs[0] ?? ["", ""];
  if (real.endsWith(written)) {
    const more = real.slice(0, real.length - written.length);
    if (pairs.every(([w, r]) => r === more + w)) return (indent) => more + indent;
  }
  if (written.endsWith(real)) {
    const less = written.slice(0, written.length - real.length);
    if (pairs.every(([w, r]) => w === less + r))
      return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : "");
  }
  return undefined;
}

/** Four spaces in the edit that were a tab in the file are a tab in what goes deeper, too. */
function inUnitOf(rest: string, written: string, real: string): string {
  if (/^ +$/.test(written) && /^\t+$/.test(real) && /^ *$/.test(rest)) {
    const width = Math.max(1, Math.round(written.length / real.length));
    return "\t".repeat(Math.floor(rest.length / width)) + " ".repeat(rest.length % width);
  }
  if (/^\t+$/.test(written) && /^ +$/.test(real) && /^\t*$/.test(rest))
    return " ".repeat(rest.length * Math.max(1, Math.round(real.length / written.length)));
  return rest;
}

function inFileUnit(indent: string, known: ReadonlyMap<string, string>): string {
  for (const [written, real] of known) {
    if (written !== "" && real !== "") return inUnitOf(indent, written, real);
  }
  return indent;
}
