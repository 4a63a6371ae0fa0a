/** The value of a field that a role or a rule names. */

/** `a.b` descends, `a[].b` takes b of each element; own properties only. */
export function readField(input: Readonly<Record<string, unknown>>, field: string): unknown {
  if (Object.hasOwn(input, field)) return input[field];
  if (!field.includes(".") && !field.includes("[]")) return undefined;
  let values: unknown[] = [input];
  let many = false;
  for (const step of field.split(".")) {
    const name = step.endsWith("[]") ? step.slice(0, -2) : step;
    const next: unknown[] = [];
    for (const value of values) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) continue;
      const member = (value as Record<string, unknown>)[name];
      if (step.endsWith("[]")) {
        many = true;
        if (Array.isArray(member)) next.push(...member);
      } else next.push(member);
    }
    values = next;
  }
  if (values.length === 0) return undefined;
  return many ? values : values[0];
}
