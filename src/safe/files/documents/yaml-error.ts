/** What the YAML reader complains about, said with what to do: most of it is text that needed quotes. */
import type { ErrorCode } from "yaml";
import { visible } from "../../../core/text/visible.ts";

export interface YamlError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Offsets; the first is where it starts. */
  readonly pos: readonly [number, ...number[]];
}

export function explainYamlError(error: YamlError, text: string): string {
  const { code, message, pos } = error;
  if (code === "BAD_DQ_ESCAPE")
    return `"${visible(text.slice(pos[0], pos[0] + 2))}" means nothing inside double quotes. Use single quotes ('\\d+'), which leave backslashes alone, or double the backslash.`;
  if (code === "BAD_SCALAR_START")
    return `Text cannot start with ${text.charAt(pos[0])} here; put it in single quotes.`;
  const known = withoutText(error);
  if (known !== undefined) return known;
  if (/at node end$/.test(message)) return explainRest(text, pos[0]);
  return `The file is not valid YAML: ${visible(message, { maxLength: 200 })}.`;
}

/** For files whose words must not be repeated: the reader's own message would do that. */
export function plainYamlError(error: YamlError): string {
  return withoutText(error) ?? "This is not valid YAML; text with signs in it belongs in single quotes.";
}

function withoutText({ code, message }: YamlError): string | undefined {
  switch (code) {
    case "BAD_ALIAS":
      return explainStar("*");
    case "TAB_AS_INDENT":
      return "A tab is used for indentation; YAML takes only spaces there.";
    case "BLOCK_AS_IMPLICIT_KEY":
      return 'Text that holds ": " looks like another key; put it in single quotes, or write a block that starts with "|".';
    case "MULTILINE_IMPLICIT_KEY":
      return 'A key needs a ":" on its own line; did a line lose its "key:", or its indentation?';
    case "RESOURCE_EXHAUSTION":
      return "The file is nested too deeply.";
  }
  return byMessage.find(([pattern]) => pattern.test(message))?.[1];
}

const byMessage: readonly (readonly [RegExp, string])[] = [
  [/block-seq-ind on same line/, 'A list ("- ") starts on a line of its own, below its key.'],
  [
    /^Block scalar header/,
    'Text that starts with "|" or ">" starts a block; put it in single quotes, or begin it on the next line.',
  ],
  [
    /^Implicit map keys/,
    'A line here has no ":" after its key, or it belongs to a text above and is not indented.',
  ],
  [/^Missing closing ['"]/, "A quoted text starts here and does not end."],
  [/^Flow sequence .*end with a \]/, 'A list that starts with "[" is not closed with "]".'],
  [/^Flow map .*end with a \}/, 'A mapping that starts with "{" is not closed with "}".'],
  [
    /^All (?:mapping|sequence|collection) items must start/,
    "This line is indented like none above it; the keys of one mapping start in the same column.",
  ],
];

/** The first thing everybody tries is `tool: *`. */
export function explainStar(written: string): string {
  const shown = visible(written, { maxLength: 40 });
  return `${shown} without quotes is YAML for "what &${shown.slice(1) || "name"} stands for", which is not there. Put it in quotes: "${shown}"`;
}

function explainRest(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset).slice(0, 1_000);
  const what = "Something follows a value that has already ended";
  if (before.trim() === "") return `${what}; check the indentation.`;
  if (/[:,-]\s+[[{]/.test(before)) return `${what}: text that starts with [ or { must be in single quotes.`;
  if (before.includes("'"))
    return `${what}: inside single quotes write '' for a quote, or use a block that starts with "|".`;
  return `${what}; put the whole text in single quotes.`;
}
