/** One tool call typed as words, `Bash 'git push'`, as the JSON that agents send to their hooks. */
import { findMainField, type MainField } from "../../../../agents/main-field.ts";
import { commandFromWords } from "../../../../core/input/role-texts.ts";
import { visible } from "../../../../core/text/visible.ts";

export interface CallWords {
  readonly tool?: string | undefined;
  /** What the tool gets: one text, a command word by word, or one word of JSON. */
  readonly input?: readonly string[] | undefined;
}

export type CallText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** `fieldOf`: which field the text is; only one who has opened the tools knows that of all of them. */
export function callInWords(
  { tool = "", input = [] }: CallWords,
  fieldOf: (tool: string) => MainField | undefined = findMainField,
): CallText {
  const [text = ""] = input;
  const field = fieldOf(tool);
  if (input.length === 0) {
    const form = field === undefined ? `'{"field":"text"}'` : `'${field.name.toUpperCase()}'`;
    return refuse(`What does ${visible(tool)} get? Write it behind the name: ${visible(tool)} ${form}`);
  }
  if (input.length === 1 && isObject(text)) return { ok: true, text: toCall(tool, text) };
  if (/^\s*\{\s*"[^"]*"\s*:/.test(text))
    return refuse(`The input of ${visible(tool)} is not valid JSON: ${visible(text, { maxLength: 120 })}`);
  if (field === undefined)
    return refuse(
      `Which field of ${visible(tool)} that text is, is not known. Write the input as JSON: ${visible(tool)} '{"field":"text"}'`,
    );
  if (input.length > 1 && !field.isCommand)
    return refuse(
      `${visible(tool)} takes one text, its ${field.name}: put it in quotes. For more fields write JSON: ${visible(tool)} '{"${field.name}":"..."}'`,
    );
  // Several words are those of one command: what stood in quotes stays one word.
  const value = input.length === 1 ? text : commandFromWords(input);
  return { ok: true, text: toCall(tool, JSON.stringify({ [field.name]: value })) };
}

/** The input goes in as it was typed: a key that appears twice is found where calls are read. */
function toCall(tool: string, input: string): string {
  return `{"tool_name":${JSON.stringify(tool)},"tool_input":${input}}`;
}

function isObject(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // `{ git status; }` is a command.
    return false;
  }
}

function refuse(message: string): CallText {
  return { ok: false, message };
}
