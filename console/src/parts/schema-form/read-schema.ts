/** A JSON Schema as a form sees it: `$ref` followed, `allOf` taken together, the choices of `oneOf` and `anyOf` named. */

export type Schema = Readonly<Record<string, unknown>>;

export type Field =
  | { readonly kind: "text"; readonly long: boolean }
  | { readonly kind: "number"; readonly whole: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly unknown[] }
  | { readonly kind: "fixed"; readonly value: unknown }
  | { readonly kind: "list"; readonly items: Schema }
  | { readonly kind: "object"; readonly fields: readonly ObjectField[] }
  | { readonly kind: "either"; readonly forms: readonly { readonly name: string; readonly schema: Schema }[] }
  /** What a form cannot say: it is written as JSON. */
  | { readonly kind: "json" };

export interface ObjectField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const deepest = 12;

/** A schema may refer to itself, many times over: what is followed is counted, however it branches. */
interface Budget {
  steps: number;
}

function budget(): Budget {
  return { steps: 1_000 };
}

export function readField(given: unknown, root: Schema, depth = 0): Field {
  const schema = resolve(given, root);
  if (schema === undefined || depth > deepest) return { kind: "json" };
  if ("const" in schema) return { kind: "fixed", value: schema.const };
  if (Array.isArray(schema.enum)) return { kind: "choice", values: schema.enum };
  const forms = Array.isArray(schema.oneOf) ? schema.oneOf : schema.anyOf;
  if (Array.isArray(forms)) return readForms(forms, schema, root);
  switch (typeOf(schema)) {
    case "string":
      return { kind: "text", long: isLong(schema) };
    case "integer":
    case "number":
      return { kind: "number", whole: typeOf(schema) === "integer" };
    case "boolean":
      return { kind: "flag" };
    case "array":
      return isSchema(schema.items) ? { kind: "list", items: schema.items } : { kind: "json" };
    case "object":
      return readObject(schema);
    default:
      return { kind: "json" };
  }
}

/** The schema itself where it says something, or what it refers to. */
export function resolve(given: unknown, root: Schema, left = budget()): Schema | undefined {
  let schema = given;
  for (let step = 0; step < deepest && isSchema(schema) && left.steps > 0; step += 1) {
    left.steps -= 1;
    if (typeof schema.$ref === "string") schema = find(schema.$ref, root);
    else if (Array.isArray(schema.allOf)) return merge(schema, root, left);
    else return schema;
  }
  return undefined;
}

/** What a new value of this schema looks like: defaults, and what must be there. */
export function emptyValue(given: unknown, root: Schema, depth = 0, left = budget()): unknown {
  const schema = resolve(given, root, left);
  if (schema === undefined) return null;
  if ("default" in schema) return schema.default;
  const field = readField(schema, root, depth);
  if (field.kind === "fixed") return field.value;
  if (field.kind === "choice") return field.values[0];
  if (field.kind === "either") return emptyValue(field.forms[0]?.schema, root, depth + 1, left);
  if (field.kind === "object") {
    const needed = field.fields.filter(({ isRequired }) => isRequired && depth < deepest);
    return Object.fromEntries(
      needed.map(({ name, schema: of }) => [name, emptyValue(of, root, depth + 1, left)]),
    );
  }
  return { text: "", number: 0, flag: false, list: [], json: null }[field.kind];
}

function readForms(forms: readonly unknown[], schema: Schema, root: Schema): Field {
  const { oneOf: _one, anyOf: _any, ...rest } = schema;
  const named = forms.flatMap((form, index) => {
    const found = resolve(form, root);
    if (found === undefined) return [];
    const own = typeOf(rest) === "object" || isSchema(rest.properties) ? combine(rest, found) : found;
    return [{ name: nameOf(found, index), schema: own }];
  });
  return named.length === 0 ? { kind: "json" } : { kind: "either", forms: named };
}

function nameOf(schema: Schema, index: number): string {
  if (typeof schema.title === "string") return schema.title;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (isSchema(schema.properties)) {
    const needed = Array.isArray(schema.required) ? schema.required : Object.keys(schema.properties);
    if (needed.length > 0) return `with ${needed.join(", ")}`;
  }
  return typeOf(schema) ?? `form ${index + 1}`;
}

function readObject(schema: Schema): Field {
  const { properties, required } = schema;
  if (!isSchema(properties)) return { kind: "json" };
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).flatMap(([name, of]) =>
    isSchema(of) ? [{ name, schema: of, isRequired: needed.includes(name) }] : [],
  );
  return { kind: "object", fields: [...fields].sort((a, b) => Number(b.isRequired) - Number(a.isRequired)) };
}

function typeOf(schema: Schema): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  if (typeof type === "string") return type;
  return isSchema(schema.properties) ? "object" : undefined;
}

function isLong({ maxLength, contentMediaType, description }: Schema): boolean {
  const isText =
    typeof description === "string" && /content|text|body|script|patch|prompt/i.test(description);
  return contentMediaType !== undefined || isText || (typeof maxLength === "number" && maxLength > 500);
}

function find(ref: string, root: Schema): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function merge(schema: Schema, root: Schema, left: Budget): Schema {
  const { allOf, ...own } = schema;
  return (allOf as readonly unknown[])
    .map((part) => resolve(part, root, left) ?? {})
    .reduce<Schema>((whole, part) => combine(whole, part), own);
}

function combine(one: Schema, other: Schema): Schema {
  const all = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const properties = { ...(one.properties as object), ...(other.properties as object) };
  const required = [...all(one.required), ...all(other.required)];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
