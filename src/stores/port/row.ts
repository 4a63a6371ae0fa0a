/** A row as a database gives it, by column. What has no value is null. */
export type Row = Readonly<Record<string, unknown>>;

export function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

export function optionalNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
