/** A value written as JSON; what is not JSON yet stays in the box and says so. */
import { useState } from "react";

export interface JsonFieldProps {
  readonly id?: string;
  readonly value: unknown;
  /** Undefined: what stands there is not JSON. */
  readonly onChange: (value: unknown) => void;
  readonly label?: string;
  readonly rows?: number;
}

export function JsonField({ id, value, onChange, label, rows = 4 }: JsonFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string>();
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : JSON.parse(next));
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "This is not JSON.");
      onChange(undefined);
    }
  };
  return (
    <>
      <textarea
        id={id}
        className="mono"
        aria-label={label}
        spellCheck={false}
        rows={Math.min(24, Math.max(rows, text.split("\n").length + 1))}
        value={text}
        aria-invalid={problem !== undefined}
        onChange={(event) => change(event.target.value)}
      />
      {problem !== undefined && <span className="opaque small">{problem}</span>}
    </>
  );
}
