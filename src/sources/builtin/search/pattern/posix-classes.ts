/** Writes `[[:space:]]` and its kind, known from grep, the way JavaScript does. */

const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

export function fromPosixClasses(source: string): string {
  if (!source.includes("[:")) return source;
  return source.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]/g, (part) =>
    part.startsWith("[")
      ? part.replace(/\[:(\w+):\]/g, (found, name: string) => classes[name] ?? found)
      : part,
  );
}
