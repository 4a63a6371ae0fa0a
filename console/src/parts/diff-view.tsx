/** Two texts side by side in time: what goes, what comes, and which words of a line changed. */
import { diffWordsWithSpace, structuredPatch } from "diff";
import { Fragment, memo, useMemo } from "react";
import { JsonText } from "./json-text.tsx";
import { plural } from "./numbers.ts";
import { Shown } from "./shown.tsx";

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

interface Line {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
  readonly oldNo?: number;
  readonly newNo?: number;
  /** The line on the other side that it stands for. */
  readonly other?: string;
}

export const DiffView = memo(function DiffView({ before, after, label }: DiffViewProps) {
  const hunks = useMemo(() => hunksOf(before, after), [before, after]);
  if (hunks === undefined) {
    return (
      <>
        <p className="quiet">Too different to compare line by line. This is what it would become:</p>
        <JsonText label={label} value={after} />
      </>
    );
  }
  if (hunks.length === 0) return <p className="quiet">Nothing changes.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    <section className="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {hunks.map(({ start, skipped, lines }) => (
            <Fragment key={start}>
              {skipped > 0 && (
                <tr className="gap">
                  <td colSpan={4}>{plural(skipped, "line")} unchanged</td>
                </tr>
              )}
              {lines.map((line, index) => (
                <LineRow key={`${start}-${index.toString()}`} line={line} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
});

const tones = { "+": "added", "-": "removed", " ": "same" } as const;

function LineRow({ line }: { readonly line: Line }) {
  const { sign, text, oldNo, newNo, other } = line;
  return (
    <tr className={tones[sign]}>
      <td className="no">{oldNo}</td>
      <td className="no">{newNo}</td>
      <td className="sign">{sign}</td>
      <td>
        {other === undefined ? (
          <Shown text={text} limit={4_000} />
        ) : (
          <Words text={text} other={other} sign={sign} />
        )}
      </td>
    </tr>
  );
}

function Words({
  text,
  other,
  sign,
}: {
  readonly text: string;
  readonly other: string;
  readonly sign: string;
}) {
  const parts = sign === "+" ? diffWordsWithSpace(other, text) : diffWordsWithSpace(text, other);
  const own = parts.filter((part) => (sign === "+" ? !part.removed : !part.added));
  return own.map(({ value, added, removed }, index) => {
    const Around = added || removed ? "mark" : "span";
    return (
      <Around key={`${index.toString()}-${value.length}`}>
        <Shown text={value} />
      </Around>
    );
  });
}

const longestWithWords = 400;

function hunksOf(before: string, after: string) {
  const patch = structuredPatch("", "", before, after, "", "", {
    context: 3,
    maxEditLength: 4_000,
    timeout: 400,
  });
  if (patch === undefined) return undefined;
  let shownTo = 1;
  return patch.hunks.map(({ oldStart, oldLines, newStart, lines }) => {
    const skipped = oldStart - shownTo;
    shownTo = oldStart + oldLines;
    return { start: oldStart, skipped, lines: paired(numbered(lines, oldStart, newStart)) };
  });
}

function numbered(lines: readonly string[], oldStart: number, newStart: number): Line[] {
  let [oldNo, newNo] = [oldStart, newStart];
  return lines.flatMap((line): Line[] => {
    const [sign, text] = [line[0], line.slice(1)];
    if (sign === "+") return [{ sign, text, newNo: newNo++ }];
    if (sign === "-") return [{ sign, text, oldNo: oldNo++ }];
    if (sign === " ") return [{ sign, text, oldNo: oldNo++, newNo: newNo++ }];
    return [];
  });
}

/** As many lines that go as lines that come: they are taken for each other, and their words are compared. */
function paired(lines: readonly Line[]): Line[] {
  const result = [...lines];
  for (let at = 0; at < lines.length; ) {
    const gone = runOf(lines, at, "-");
    const come = runOf(lines, at + gone, "+");
    if (gone > 0 && gone === come)
      for (let index = at; index < at + gone; index += 1) {
        const [old, young] = [lines[index] as Line, lines[index + gone] as Line];
        if (Math.max(old.text.length, young.text.length) > longestWithWords) continue;
        result[index] = { ...old, other: young.text };
        result[index + gone] = { ...young, other: old.text };
      }
    at += Math.max(1, gone + come);
  }
  return result;
}

function runOf(lines: readonly Line[], from: number, sign: Line["sign"]): number {
  let many = 0;
  while (lines[from + many]?.sign === sign) many += 1;
  return many;
}
