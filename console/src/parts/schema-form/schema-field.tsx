/** One value of a schema as controls, and what lies below it. */
import { useId } from "react";
import { Icon } from "../icons.tsx";
import { Shown } from "../shown.tsx";
import { fits } from "./fits-form.ts";
import { JsonField } from "./json-field.tsx";
import { PlainField } from "./plain-field.tsx";
import {
  emptyValue,
  type Field,
  isSchema,
  type ObjectField,
  readField,
  resolve,
  type Schema,
} from "./read-schema.ts";

export interface SchemaFieldProps {
  readonly label: string;
  readonly schema: Schema;
  readonly root: Schema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isRequired?: boolean;
  readonly depth?: number;
}

export function SchemaField(props: SchemaFieldProps) {
  const { label, schema, root, isRequired = true, depth = 0 } = props;
  const id = useId();
  const found = resolve(schema, root) ?? {};
  const field = readField(schema, root, depth);
  const { description } = found;
  const isGroup = field.kind === "object" || field.kind === "list" || field.kind === "either";
  const name = (
    <>
      <Shown line text={label} /> {!isRequired && <span className="quiet">optional</span>}
    </>
  );
  return (
    <div className={isGroup ? "field group" : "field"}>
      {isGroup ? (
        <span className="label" id={id}>
          {name}
        </span>
      ) : (
        <label htmlFor={id}>{name}</label>
      )}
      {typeof description === "string" && (
        <span className="quiet small">
          <Shown text={description.slice(0, 400)} />
        </span>
      )}
      <Control {...props} depth={depth} field={field} id={id} />
    </div>
  );
}

function Control(
  props: SchemaFieldProps & { readonly field: Field; readonly id: string; readonly depth: number },
) {
  const { field, id, value, onChange, root, depth } = props;
  switch (field.kind) {
    case "text":
    case "number":
    case "flag":
    case "choice":
      return <PlainField id={id} field={field} value={value} onChange={onChange} />;
    case "fixed":
      return <input id={id} type="text" className="mono" readOnly value={JSON.stringify(field.value)} />;
    case "list":
      return <List {...props} items={field.items} />;
    case "object":
      return (
        <ObjectFields fields={field.fields} root={root} value={value} onChange={onChange} depth={depth} />
      );
    case "either":
      return <Either {...props} forms={field.forms} />;
    case "json":
      return <JsonField id={id} value={value} onChange={onChange} />;
  }
}

export interface ObjectFieldsProps extends Pick<SchemaFieldProps, "root" | "value" | "onChange"> {
  readonly fields: (Field & { readonly kind: "object" })["fields"];
  readonly depth: number;
}

export function ObjectFields({ fields, root, value, onChange, depth }: ObjectFieldsProps) {
  const values = isSchema(value) ? value : {};
  const isThere = ({ name, isRequired }: ObjectField) => isRequired || Object.hasOwn(values, name);
  const absent = fields.filter((field) => !isThere(field));
  return (
    <div className="fields-below">
      {fields.filter(isThere).map(({ name, schema, isRequired }) => {
        const drop = () =>
          onChange(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)));
        return (
          <div key={name} className="with-drop">
            <SchemaField
              label={name}
              schema={schema}
              root={root}
              value={values[name]}
              isRequired={isRequired}
              depth={depth + 1}
              onChange={(next) => (next === undefined ? drop() : onChange({ ...values, [name]: next }))}
            />
            {!isRequired && (
              <button type="button" className="icon-only" aria-label={`Leave ${name} out`} onClick={drop}>
                <Icon name="close" />
              </button>
            )}
          </div>
        );
      })}
      {absent.length > 0 && (
        <div className="chips">
          <span className="quiet">Add</span>
          {absent.map(({ name, schema }) => (
            <button
              key={name}
              type="button"
              className="chip"
              onClick={() => onChange({ ...values, [name]: emptyValue(schema, root) })}
            >
              <Shown line text={name} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function List({
  items,
  root,
  value,
  onChange,
  depth,
  label,
}: SchemaFieldProps & { readonly items: Schema; readonly depth: number }) {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className="fields-below">
      {all.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no other name.
        <div key={index} className="with-drop">
          <SchemaField
            label={`${label} ${index + 1}`}
            schema={items}
            root={root}
            value={one}
            depth={depth + 1}
            onChange={(next) => onChange(all.with(index, next ?? null))}
          />
          <button
            type="button"
            className="icon-only"
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => onChange(all.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <button type="button" className="link add" onClick={() => onChange([...all, emptyValue(items, root)])}>
        add one
      </button>
    </div>
  );
}

type Forms = (Field & { readonly kind: "either" })["forms"];

function Either({
  forms,
  root,
  value,
  onChange,
  depth,
  label,
}: SchemaFieldProps & { readonly forms: Forms; readonly depth: number }) {
  const at = Math.max(
    0,
    forms.findIndex(({ schema }) => fits(value, schema, root)),
  );
  const form = forms[at];
  return (
    <div className="fields-below">
      <select
        aria-label={`Form of ${label}`}
        value={at}
        onChange={(event) => onChange(emptyValue(forms[Number(event.target.value)]?.schema, root))}
      >
        {forms.map(({ name }, index) => (
          <option key={`${name} ${index.toString()}`} value={index}>
            {name}
          </option>
        ))}
      </select>
      {form !== undefined && (
        <SchemaField
          label={form.name}
          schema={form.schema}
          root={root}
          value={value}
          onChange={onChange}
          depth={depth + 1}
        />
      )}
    </div>
  );
}
