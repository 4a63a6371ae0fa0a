/** Fields that several support tools take. */

export const id = { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" } as const;

/** No line breaks and no control characters: a name stays a name wherever it is shown. */
export const line = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f]+$",
} as const;

export const text = { type: "string", minLength: 1, maxLength: 20_000 } as const;

export const tags = {
  type: "array",
  maxItems: 20,
  uniqueItems: true,
  items: { ...line, maxLength: 50 },
} as const;

export const query = { type: "string", minLength: 1, maxLength: 200 } as const;

export const limit = {
  type: "integer",
  minimum: 1,
  maximum: 100,
  description: "Rows in the answer. Default 20.",
} as const;

export const defaultLimit = 20;

export const cursor = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  description: "From the answer before.",
} as const;
