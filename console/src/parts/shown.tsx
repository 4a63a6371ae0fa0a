/** Text of tools, agents and rules as data: every character that cannot be seen, or moves what is seen, is drawn. */
import { memo, useState } from "react";
import { count } from "./numbers.ts";

// As `visible` of the gate: controls, format (bidi, tags, zero width), private use, lone surrogates, blanks that are no space.
const hidden = /([[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2800]--[ \n\t]])/v;

export interface ShownProps {
  readonly text: string;
  /** Newlines and tabs are drawn as well: for names and single lines. */
  readonly line?: boolean;
  /** What is longer is cut, and says so, until somebody opens it. */
  readonly limit?: number;
  readonly onOpened?: () => void;
}

export const Shown = memo(function Shown({ text, line = false, limit = Infinity, onOpened }: ShownProps) {
  const [isOpen, open] = useState(false);
  const isCut = !isOpen && text.length > limit;
  const shown = isCut ? text.slice(0, limit) : text;
  return (
    <>
      {pieces(line ? shown.replace(/\n/g, "⏎").replace(/\t/g, "⇥") : shown)}
      {isCut && (
        <button
          type="button"
          className="link more"
          onClick={() => {
            open(true);
            onOpened?.();
          }}
        >
          show {count(text.length - limit)} more characters
        </button>
      )}
    </>
  );
});

function pieces(text: string) {
  if (!hidden.test(text)) return text;
  // `split` by a pattern with a group: what lies between and what was found take turns.
  let place = 0;
  return text.split(hidden).map((piece, index) => {
    const key = place;
    place += piece.length;
    if (index % 2 === 0) return piece;
    const code = (piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return (
      <span key={key} className="unseen" title="A character that cannot be seen">
        U+{code}
      </span>
    );
  });
}
