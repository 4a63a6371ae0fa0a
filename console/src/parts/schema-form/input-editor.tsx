/** The input of a call, as a form made of the tool's schema or as JSON; one can change between the two. */
import { useState } from "react";
import { JsonField } from "./json-field.tsx";
import { emptyValue, isSchema, readField } from "./read-schema.ts";
import { ObjectFields, SchemaField } from "./schema-field.tsx";

type Input = Readonly<Record<string, unknown>>;

export interface InputEditorProps {
  readonly schema: unknown;
  /** Undefined: begin with what the schema needs. */
  readonly value?: Input;
  /** Undefined: what stands there is no object. */
  readonly onChange: (value: Input | undefined) => void;
}

export function InputEditor({ schema, value, onChange }: InputEditorProps) {
  const root = isSchema(schema) ? schema : {};
  const field = readField(root, root);
  const canForm = field.kind === "object" || field.kind === "either";
  const [now, setNow] = useState<Input>(() => value ?? startOf(root));
  const [way, setWay] = useState<"form" | "json">("form");
  const change = (next: unknown) => {
    if (!isSchema(next)) return onChange(undefined);
    setNow(next);
    onChange(next);
  };
  const isJson = way === "json" || !canForm;
  return (
    <div className="input-editor">
      {canForm && (
        <div className="tabs" role="tablist" aria-label="How to write the input">
          {(["form", "json"] as const).map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={way === one}
              onClick={() => setWay(one)}
            >
              {one === "form" ? "Form" : "JSON"}
            </button>
          ))}
        </div>
      )}
      {isJson && <JsonField key={way} label="Input as JSON" rows={8} value={now} onChange={change} />}
      {!isJson && field.kind === "object" && (
        <ObjectFields fields={field.fields} root={root} value={now} onChange={change} depth={0} />
      )}
      {!isJson && field.kind === "either" && (
        <SchemaField label="Input" schema={root} root={root} value={now} onChange={change} />
      )}
      {!isJson && field.kind === "object" && field.fields.length === 0 && (
        <p className="quiet">It takes no input.</p>
      )}
    </div>
  );
}

export function startOf(schema: unknown): Input {
  const root = isSchema(schema) ? schema : {};
  const value = emptyValue(root, root);
  return isSchema(value) ? value : {};
}
