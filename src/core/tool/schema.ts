/** What describes an input: JSON Schema or any Standard Schema; and the one result of a check. */

import type { XStatic } from "typebox/schema";
import type { Json } from "../input/json.ts";

export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** Standard Schema v1 (zod, valibot, arktype, ...), with Standard JSON Schema where a library has it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Schema = JsonSchema | StandardSchema;

export interface ValidationIssue {
  /** Where, written as in code: `$.files[0].name`. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
  /** Path, expected and received in one sentence. */
  readonly message: string;
}

export type ValidationResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly issues: readonly ValidationIssue[];
      /** The value is not known to be wrong: checking it took too long. Never treat it as valid. */
      readonly undecided?: boolean;
    };

export type CompiledSchema =
  | {
      readonly ok: true;
      /** What models are shown. */
      readonly jsonSchema: JsonSchema;
      readonly validate: ValidateInput;
      /** All there is to a closed object of plain fields, if the schema is no more than that. */
      readonly flat?: readonly FlatField[];
      /** What `validate` lets through has no top-level fields but those the schema names. */
      readonly closed: boolean;
    }
  | { readonly ok: false; readonly message: string };

export interface FlatField {
  readonly name: string;
  readonly required: boolean;
  readonly kind: "string" | "number" | "boolean" | "integer";
}

/** `foreign`: a stranger's schema: tighter bounds, a time budget. `later`: compiled at the first value. */
export type CompileSchema = (
  schema: Schema,
  options?: { readonly foreign?: boolean; readonly later?: boolean },
) => CompiledSchema;

export type ValidateInput = (input: Json) => ValidationResult | Promise<ValidationResult>;

/** What a caller may pass. A literal JSON Schema is read as a type; any other gives `unknown`. */
export type InferInput<S> = S extends StandardSchema<infer Input, unknown> ? Input : InferJsonSchema<S>;

/** What the tool's code receives, defaults and transforms applied. */
export type InferOutput<S> =
  S extends StandardSchema<infer _Input, infer Output> ? Output : InferJsonSchema<S>;

type InferJsonSchema<S> = S extends boolean
  ? unknown
  : S extends { readonly [keyword: string]: unknown }
    ? string extends keyof S
      ? unknown
      : XStatic<S>
    : never;
