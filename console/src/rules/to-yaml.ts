/** A rule as YAML: only what rules are made of, and every text that could be read as something else in quotes. */

export function toYaml(value: unknown, indent = 0): string {
  const pad = "  ".repeat(indent);
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object" || one === null))
      return `[${value.map(scalar).join(", ")}]`;
    return `\n${value.map((one) => `${pad}- ${toYaml(one, indent + 1).trimStart()}`).join("\n")}`;
  }
  if (typeof value !== "object" || value === null) return scalar(value);
  const lines = Object.entries(value).map(([key, of]) => {
    const text = toYaml(of, indent + 1);
    return `${pad}${scalar(key)}:${text.startsWith("\n") ? text : ` ${text}`}`;
  });
  return indent === 0 ? `${lines.join("\n")}\n` : `\n${lines.join("\n")}`;
}

function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "null";
  const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
