/**
 * Tools that type into a terminal, told by the words of their names: `send_keys`, `write_to_terminal`. Whatever runs
 * there may be a shell, so what is typed counts as a command for rules that make the gate stricter.
 */

import { wordSet, words } from "../text/words.ts";
import { longestName, wordsInName } from "./field-words.ts";

const types = wordSet("send write type input feed enter paste submit inject interact");
/** At the end of a name, too: `terminal_input`. */
const ending = wordSet("send write input feed paste");
const terminals = wordSet(
  "terminal terminals term tty pty stdin console shell bash process command cmd tmux repl",
);
const keys = wordSet("keys keystrokes");

/** Something else is typed into, or is written about it. */
const elsewhere = wordSet(
  "browser page web webpage selenium playwright puppeteer chrome firefox appium mobile android ios element dom form gui window desktop " +
    "computer mouse log logs output history file docs read get list palette",
);

/** Fields that say where on a page: `send_keys` is a browser's word, too. */
const ofPages = ["selector", "element", "elementId", "ref", "by", "xpath", "locator", "css", "page", "tabId"];

const typedFields = wordSet(
  "text chars characters input keys keystrokes data content contents line lines string value message payload stdin body sequence",
);

/** The server's name says where a plain `write` or `send` goes, and that a place is no terminal. */
export function typesIntoTerminal(tool: string): boolean {
  if (tool.length > 2 * longestName || !mayType.test(tool)) return false;
  const all = wordsInName(tool);
  if (all.some((word) => elsewhere.has(word))) return false;
  const own = wordsInName(tool.split(/__|[./:]/).at(-1) ?? tool);
  const named = own.length === 1 ? all : own;
  // `process_input` and `command_type` speak of something else.
  const verb = types.has(own[0] ?? "") || (own[0] !== "process" && ending.has(own.at(-1) ?? ""));
  return verb && named.some((word) => terminals.has(word) || keys.has(word));
}

/** Only what may hold such words is cut into words. */
const mayType = /term|tty|pty|stdin|console|shell|bash|process|command|cmd|tmux|repl|keys/i;

/** The lines that a call of such a tool types; a list may hold keys beside texts. */
export function typedLines(input: Readonly<Record<string, unknown>>): string[] {
  if (ofPages.some((name) => Object.hasOwn(input, name))) return [];
  return Object.entries(input).flatMap(([name, value]) => (typedFields.has(name) ? linesIn(value) : []));
}

function linesIn(value: unknown): string[] {
  const items = [value].flat().filter((item) => typeof item === "string");
  const typed = items.map((item) => (items.length > 1 ? (keyNames.get(item.toLowerCase()) ?? item) : item));
  // Letter by letter, or words that are sent with a blank between them.
  const texts = new Set([typed.join(""), typed.join(" ")].map(asTyped));
  return [...texts].filter((text) => text.trim() !== "");
}

const keyNames: ReadonlyMap<string, string> = new Map([
  ...words("enter return cr c-m c-j <enter> {enter}").map((name) => [name, "\n"] as const),
  ...words("space <space> {space}").map((name) => [name, " "] as const),
  ...words("c-c c-d c-z escape <c-c> ctrl+c").map((name) => [name, "\n"] as const),
  // What they leave of the line nobody knows: no shell line holds this character.
  ...words("bspace backspace delete left right up down home end c-w c-u c-h").map(
    (name) => [name, "\b"] as const,
  ),
]);

/** Line breaks and interrupts: what follows is a line of its own. */
const breaks = ["\r", "\u0003", "\u0004", "\u001a"];

/** `git push<Enter>`, `git push\n` with a written-out break. */
function asTyped(text: string): string {
  const read = text.replaceAll(/<(?:enter|cr|return)>|\{enter\}|\\[nr](?=\s*$)/gi, "\n");
  return breaks.reduce((rest, one) => rest.replaceAll(one, "\n"), read);
}
