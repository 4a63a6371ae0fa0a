/**
 * Commands that a program is given to run while it stays a program of its own: `npx rm`, `uv run git push`. Rules
 * approve the program as it is written (`npx eslint`); those that stop a command look at what it runs, too.
 */

import type { JudgedCommand } from "../../core/ports/command.ts";
import { words } from "../../core/text/words.ts";
import { type Arg, isLiteral, LITERAL } from "../arg.ts";
import { CommandUse } from "../command-use.ts";
import type { Walk } from "../walk.ts";
import { readPartsOf, readShellText } from "./nested-shell.ts";
import { RUNNERS, type Runner } from "./runners.ts";
import { judgeInner } from "./unwrap.ts";

/** In words, and some for each command: more than anybody nests. The first one may be as long as it likes. */
const MAX_OPENED = 4_000;
const EACH_OPENED = 10;
/** Places where the command may begin, if some option is not known. */
const MAX_PLACES = 6;

/** Found at any other place it would be part of the judgement; here nothing of it makes the line wider. */
export function givenCommands(use: CommandUse): readonly JudgedCommand[] | undefined {
  const written = use.args[0]?.text ?? "";
  const name = written.slice(written.lastIndexOf("/") + 1);
  const runners = RUNNERS.get(name);
  if (runners === undefined) return undefined;
  const found: JudgedCommand[] = [];
  for (const runner of runners) {
    for (const from of behindWords(use.args, runner)) open(use, name, runner, from, found);
  }
  return found.length === 0 ? undefined : found;
}

function open(use: CommandUse, name: string, runner: Runner, from: number, found: JudgedCommand[]): void {
  const { args, walk } = use;
  // Most calls of `git` hold none: one look at each word has to do.
  const { inWords, texts: options } = runner;
  if (options === "" && inWords !== undefined && !args.some(({ text }) => inWords.test(text))) return;
  const { texts, places } = findCommands(args, runner, from);
  for (const text of texts) {
    openAside(walk, args.length, found, (child) => {
      const inner = new CommandUse(child, args);
      const line = text.text.replace(/^!\s*/, "");
      if (isLiteral(text)) readShellText(inner, name, line, "sh");
      else readPartsOf(inner, name, line);
    });
    if (!isLiteral(text)) found.push(UNKNOWN_COMMAND);
  }
  for (const place of places) {
    const [program, ...rest] = args.slice(place);
    if (program === undefined || (runner.unless !== undefined && setOf(runner.unless).has(program.text)))
      continue;
    const bare =
      runner.drops === undefined ? program : { ...program, text: program.text.replace(runner.drops, "") };
    openAside(walk, args.length, found, (child) =>
      judgeInner(new CommandUse(child, args), name, place, { words: [bare, ...rest] }),
    );
  }
}

/** The walk goes on as if nothing had been read. */
function openAside(walk: Walk, words: number, found: JudgedCommand[], read: (child: Walk) => void): void {
  if (walk.opened > MAX_OPENED) {
    if (!found.includes(UNKNOWN_COMMAND)) found.push(UNKNOWN_COMMAND);
    return;
  }
  walk.opened += words + EACH_OPENED;
  const child: Walk = {
    ...walk,
    commands: [],
    redirects: [],
    opaque: [],
    values: walk.values && new Map(walk.values),
    functions: walk.functions && new Set(walk.functions),
    trusted: walk.trusted && new Set(walk.trusted),
    tainted: walk.tainted && new Set(walk.tainted),
    reassigned: walk.reassigned && new Set(walk.reassigned),
    loopUses: undefined,
  };
  delete child.unread;
  read(child);
  walk.opened = child.opened;
  walk.partsRead = child.partsRead;
  found.push(...child.commands);
  // `npx bash -c "$X"`: as unknown as without the runner. `uv run python -c` is a program that runs code.
  const isUnread = ({ argv: [program = ""], risk }: JudgedCommand) =>
    risk === "opaque" && walk.parts.wrappers.has(program.slice(program.lastIndexOf("/") + 1));
  if (child.unread === true || child.commands.some(isUnread)) found.push(UNKNOWN_COMMAND);
}

/** It may be any command. */
const UNKNOWN_COMMAND: JudgedCommand = Object.freeze({
  argv: ["..."],
  dynamic: [0],
  risk: "opaque",
  reads: [],
  writes: [],
  globs: [],
  unknownPaths: true,
  network: true,
  via: [],
});

/** Of the texts in the table. */
const sets = new Map<string, ReadonlySet<string>>();

function setOf(text: string): ReadonlySet<string> {
  const set = sets.get(text) ?? new Set(words(text).filter(Boolean));
  sets.set(text, set);
  return set;
}

/** Where the words of the runner itself end: behind `run` of `uv --directory x run`. */
function behindWords(args: readonly Arg[], { words: own, values }: Runner): readonly number[] {
  let places: readonly number[] = [1];
  const valued = setOf(values ?? "");
  for (const word of own === "" ? [] : words(own)) {
    places = places
      .flatMap((place) => behindOptions(args, place, valued))
      .filter((place) => word.split("|").includes(args[place]?.text ?? ""))
      .map((place) => place + 1);
  }
  return places;
}

function findCommands(
  args: readonly Arg[],
  { values, texts = "", rest = "", lines, inWords, usual, takesNoCommand, skips = 0, behindDashes }: Runner,
  from: number,
): { readonly texts: readonly Arg[]; readonly places: readonly number[] } {
  const ofTexts = setOf(texts);
  const ofRest = setOf(rest);
  const foundTexts: Arg[] = [];
  const dashes = args.findIndex(({ text }, at) => at >= from && text === "--");
  for (let at = from; at < args.length && (at !== dashes || ofRest.has("--")); at++) {
    const arg = args[at] as Arg;
    if (ofRest.has(arg.text)) return { texts: foundTexts, places: [at + 1] };
    const within = inWords?.exec(arg.text)?.[1];
    const values = [
      namesNext(arg.text, ofTexts) ? args[at + 1] : valueIn(arg, ofTexts),
      within === undefined ? undefined : { ...arg, text: within, slots: undefined },
    ];
    for (const value of values)
      if (value !== undefined && usual?.test(value.text) !== true) foundTexts.push(value);
  }
  if (takesNoCommand === true) return { texts: foundTexts, places: [] };
  if (lines === true) {
    const isLine = ({ text }: Arg) => !text.startsWith("-");
    return { texts: [...foundTexts, ...args.slice(from).filter(isLine)], places: [] };
  }
  if (behindDashes !== undefined && (dashes >= 0 || behindDashes === "only"))
    return { texts: foundTexts, places: dashes < 0 ? [] : [dashes + 1] };
  const valued = setOf(`${values ?? ""} ${texts}`);
  let places = behindOptions(args, from, valued);
  for (let left = skips; left > 0; left--)
    places = places.flatMap((place) => behindOptions(args, place + 1, valued));
  return { texts: foundTexts, places: places.slice(0, MAX_PLACES) };
}

/** `-e TEXT`, also at the end of joined letters: `rsync -ave TEXT`. */
function namesNext(text: string, names: ReadonlySet<string>): boolean {
  return names.has(text) || (/^-[A-Za-z0-9]{2,}$/.test(text) && names.has(`-${text.at(-1)}`));
}

/** `--call=TEXT`, `-cTEXT` */
function valueIn(arg: Arg, names: ReadonlySet<string>): Arg | undefined {
  for (const name of names) {
    const head = name.length === 2 ? name : `${name}=`;
    if (arg.text.length > head.length && arg.text.startsWith(head))
      return { ...arg, text: arg.text.slice(head.length), slots: undefined };
  }
  return undefined;
}

/** The next word that is no option, and where it would be if options that nobody knows take a value. */
function behindOptions(args: readonly Arg[], from: number, valued: ReadonlySet<string>): readonly number[] {
  const found = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined && found.size < MAX_PLACES; at = open.pop()) {
    const arg = args[at];
    if (arg === undefined || found.has(at)) continue;
    if (arg.text === "--") {
      if (at + 1 < args.length) found.add(at + 1);
    } else if (arg.kind !== LITERAL || !/^-./.test(arg.text)) found.add(at);
    else if (valued.has(arg.text)) open.push(at + 2);
    else if (arg.text.includes("=")) open.push(at + 1);
    else open.push(at + 2, at + 1);
  }
  return [...found];
}
