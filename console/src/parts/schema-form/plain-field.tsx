/** A value without parts as one control: a text, a number, a yes or no, one of a few. */
import type { Field } from "./read-schema.ts";

export interface PlainFieldProps {
  readonly id: string;
  readonly field: Field & { readonly kind: "text" | "number" | "flag" | "choice" };
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

export function PlainField({ id, field, value, onChange }: PlainFieldProps) {
  switch (field.kind) {
    case "text": {
      const text = typeof value === "string" ? value : "";
      return field.long || text.includes("\n") ? (
        <textarea
          id={id}
          className="mono"
          rows={4}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          id={id}
          type="text"
          className="mono"
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    }
    case "number":
      return (
        <input
          id={id}
          type="number"
          step={field.whole ? 1 : "any"}
          value={typeof value === "number" ? value : ""}
          onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
        />
      );
    case "flag":
      return (
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "choice":
      return (
        <select
          id={id}
          value={JSON.stringify(value) ?? ""}
          onChange={(event) =>
            onChange(event.target.value === "" ? undefined : JSON.parse(event.target.value))
          }
        >
          <option value="">choose…</option>
          {field.values.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {String(one)}
            </option>
          ))}
        </select>
      );
  }
}
