/** Leaves out fields that say nothing, as JSON and exact optional types want it. */

export type Defined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
};

/** A copy without the fields that are undefined. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) copy[name] = value;
  return copy as Defined<Fields>;
}
