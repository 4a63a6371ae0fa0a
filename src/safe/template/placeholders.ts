/** Finds `{{name}}` in a shell template and puts plain words there, to read the rest as shell text. */

export interface Placeholder {
  readonly name: string;
  /** Stands for it in the marked text: letters and digits, so one literal piece everywhere. */
  readonly token: string;
  /** In the marked text. */
  readonly pos: number;
}

export type MarkedTemplate =
  | { readonly ok: true; readonly text: string; readonly placeholders: readonly Placeholder[] }
  | { readonly ok: false; readonly errors: readonly string[] };

export function markPlaceholders(template: string, known: ReadonlySet<string>): MarkedTemplate {
  const errors: string[] = [];
  const placeholders: Placeholder[] = [];
  const stem = freshStem(template);
  let text = "";
  let at = 0;
  for (;;) {
    const open = template.indexOf("{{", at);
    if (open === -1) break;
    text += template.slice(at, open);
    const close = template.indexOf("}}", open);
    if (close === -1) {
      errors.push(`"{{" at character ${open + 1} is never closed; write {{name}}.`);
      break;
    }
    const name = template.slice(open + 2, close).trim();
    if (template[open + 2] === "{" || template[close + 2] === "}") {
      errors.push(
        `The braces around {{${name}}} at character ${open + 1} are not exactly two; write {{name}} alone.`,
      );
    } else if (!known.has(name)) {
      errors.push(
        `{{${name}}} is not a property of the input schema (${[...known].join(", ") || "which has none"}); add it there or correct the name.`,
      );
    }
    const token = `${stem}${placeholders.length}x`;
    placeholders.push({ name, token, pos: text.length });
    text += token;
    at = close + 2;
  }
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, text: text + template.slice(at), placeholders };
}

function freshStem(template: string): string {
  let stem = "value";
  while (template.includes(stem)) stem += "q";
  return stem;
}
