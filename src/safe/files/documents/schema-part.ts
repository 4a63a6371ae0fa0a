/** The part of JSON Schema in which our file formats are written, for editors and for checking. */

/** `checkShape` knows exactly these keywords. */
export interface SchemaPart {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
  readonly title?: string;
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
  readonly type?: SchemaType | readonly SchemaType[];
  readonly enum?: readonly (string | number)[];
  /** Forms of different types: what stands in the file chooses one by its type. */
  readonly oneOf?: readonly SchemaPart[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaPart;
  readonly propertyNames?: SchemaPart;
  readonly items?: SchemaPart;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
}

export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
