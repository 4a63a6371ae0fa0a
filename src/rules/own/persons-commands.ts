/**
 * Commands of toolgate that only people run: they answer, grant, trust, give out tokens, change servers and
 * hooks, propose rules, or remove records. Found in judged words, so quotes, runners and wrappers make no difference.
 */
import type { CommandJudgement, JudgedCommand } from "../../core/ports/command.ts";
import { namesAgent } from "./agent-words.ts";
import { hookInWords, namesHook } from "./started-hook.ts";

export interface PersonsCommand {
  /** As it would be typed: `toolgate approvals approve`. */
  readonly name: string;
  /** False: some word of it is only known when it runs. */
  readonly certain: boolean;
}

/** Whether a word names a file of our own program, under whatever name. */
export type IsOurs = (word: string) => boolean;

/** A command that the judge has read. */
export function personsCommandIn(command: JudgedCommand, isOurs: IsOurs): PersonsCommand | undefined {
  const { argv, dynamic, risk } = command;
  // Programs that are known to read or write files run no other program: `grep -rn 'toolgate trust' docs`.
  if (risk === "read" || risk === "write") return undefined;
  if (keepsText.test(baseName(argv[0] ?? ""))) return commandInTexts(textsThatRun(argv));
  const words = argv.map((text, at) => ({ text, known: !dynamic.includes(at) }));
  const hook = hookInWords(words, isOurs);
  if (hook?.certain === true) return hook;
  const isFed = [argv[0] ?? "", ...command.via].some((name) => feeders.test(baseName(name)));
  let doubtful: PersonsCommand | undefined = hook;
  let named = 0;
  for (const [at, { text, known }] of words.entries()) {
    const isCli = known ? namesCli(text) || isOurs(text) : at === 0;
    if (isCli && ++named > maxNamed) return { name: "toolgate", certain: false };
    // `node --import cli.js any.js trust`: the file that it seems to run only takes a place.
    const isPreloaded = /^(?:--import|--require|-r|--loader)$/.test(argv[at - 1] ?? "");
    const behind = isCli ? words.slice(at + (isPreloaded ? 2 : 1)) : [];
    const found = isCli
      ? (readCommand(behind) ?? (isFed ? fedCommand(behind) : undefined))
      : (copiedCommand(words.slice(at, at + 3)) ?? commandInTexts([text], isFed));
    if (found === undefined || (!known && isCommon(found, argv))) continue;
    // Many programs have a `cli.js serve`.
    const isVague = found.name === "toolgate serve" && /^cli\./i.test(baseName(text)) && !isOurs(text);
    if (found.certain && known && !isVague) return found;
    doubtful ??= { ...found, certain: false };
  }
  return doubtful;
}

/** For a line of which another program reads a part (`script -c`, `python3 -c`): its text is all there is. */
export function personsCommandInText(line: string, judged: CommandJudgement): PersonsCommand | undefined {
  if (judged.risk !== "opaque" && !judged.commands.some(({ argv }) => takesText(argv))) return undefined;
  return commandInTexts([line]);
}

/** How often a line may name us: each time what follows is read to its end. */
const maxNamed = 50;

/** Text that another program reads, perhaps as a command line. */
function commandInTexts(texts: readonly string[], isFed = false): PersonsCommand | undefined {
  for (const text of texts) {
    const found = /toolgate|cli\.|hook\./i.test(text) ? commandInText(text, isFed) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function commandInText(line: string, isFed: boolean): PersonsCommand | undefined {
  const words = line
    .replace(/\\\r?\n|\\/g, "")
    // `tool"g"ate` is one word, `["toolgate", "trust"]` are two.
    .replace(/(?<=[\w-])["']+(?=[\w-])/g, "")
    .split(/[\s"',()[\]{};|&<>`=!]+/)
    .filter((word) => word !== "")
    .map((text) => ({ text, known: !text.includes("$") }));
  let named = 0;
  for (const [at, { text }] of words.entries()) {
    if (namesHook(text, words[at + 1]?.text)) return sure("the hook");
    if (!namesCli(text)) continue;
    if (++named > maxNamed) return { name: "toolgate", certain: false };
    const behind = words.slice(at + 1);
    const found = readCommand(behind, true) ?? (isFed ? fedCommand(behind) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

export interface Word {
  readonly text: string;
  readonly known: boolean;
}

/** Their arguments are messages and names, and what they run does not stand in them. */
const keepsText = /^(?:git|gh|glab|hub|jj|hg)$/i;

/** Words that a program may run or open. Of git and the like: settings, and options that hold a command. */
export function textsThatRun(argv: readonly string[]): readonly string[] {
  if (!keepsText.test(baseName(argv[0] ?? ""))) return argv.slice(1);
  const runs = argv.findIndex((word) =>
    /^(?:config|bisect|submodule|filter-branch|for-each-repo)$/.test(word),
  );
  const texts = argv.filter(
    (word, at) =>
      /^(?:-c|-x|--exec|--extcmd|--upload-pack|--receive-pack|-u)$/.test(argv[at - 1] ?? "") ||
      /^(?:-c.|-x.|--(?:exec|extcmd|upload-pack|receive-pack)=)/.test(word),
  );
  return runs > 0 ? [...texts, argv.slice(runs + 1).join(" ")] : texts;
}

/** They add words to a command, or write them into it. */
const feeders = /^(?:xargs|parallel|find|fd|fdfind)$/i;

/** With words that come from elsewhere, a command that is none yet can become one. */
function fedCommand(given: readonly Word[]): PersonsCommand | undefined {
  const first = operandsOf(given)[0]?.text ?? "";
  return freeCommands.test(first) ? undefined : { name: "toolgate", certain: false };
}

const freeCommands =
  /^(?:init|install|uninstall|doctor|check|test|list|explain|tools|upstreams|approvals|grants|audit|replay|mcp|run|chat|sessions|tokens|config|trust|import|convert|demo|help)$/;

/** Runners that take a whole line as one argument. */
function takesText([program = "", ...rest]: readonly string[]): boolean {
  return (
    /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|deno|su|runuser|tmux|screen|dtach|docker|podman)$/i.test(
      baseName(program),
    ) && rest.some((word) => /\s/.test(word))
  );
}

function namesCli(word: string): boolean {
  if (/^(?:npm|jsr):(?:\/+)?toolgate(?:@[^/]*)?(?:\/.*)?$/i.test(word)) return true;
  return /^(?:toolgate(?:@[^/]*)?(?:\.(?:cmd|exe|ps1|[cm]?js))?|cli\.[cm]?[jt]s)$/i.test(baseName(word));
}

function baseName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
}

/** Reads the words behind the program. `isEmbedded`: another program starts it, perhaps at a terminal. */
function readCommand(given: readonly Word[], isEmbedded = false): PersonsCommand | undefined {
  const [first, ...rest] = operandsOf(given);
  if (first === undefined) return undefined;
  if (!first.known) return { name: "toolgate", certain: false };
  const next = rest[0];
  const sub = subcommands[first.text];
  if (sub !== undefined) {
    const name = `toolgate ${first.text}`;
    if (next === undefined) return isEmbedded && first.text === "approvals" ? sure(name) : undefined;
    if (!next.known) return { name, certain: false };
    if (isHelp(given, next)) return undefined;
    if (isEmbedded && first.text === "approvals" && !/^(?:list|show|deny|watch|approve)$/.test(next.text))
      return sure(name);
    if (!sub.test(next.text)) return undefined;
    if (first.text !== "tools") return sure(`${name} ${next.text}`);
    if (has(given, ownRules)) return sure("toolgate tools call --config");
    return has(given, /^(?:--yes|-[a-z]*y[a-z]*)$/) ? sure("toolgate tools call --yes") : undefined;
  }
  if (isHelp(given, first)) return undefined;
  switch (first.text) {
    case "grants":
      return sure("toolgate grants");
    case "trust":
      return has(given, /^--(?:list|revoke)$/) ? undefined : sure("toolgate trust");
    case "init":
      return has(given, /^--(?:force$|install(?:=|$))/) ? sure("toolgate init --force") : undefined;
    // Whose token is the owner's, and by which rules calls are judged.
    case "serve":
      if (has(given, /^--(?:token-file|config)(?:=|$)/)) return sure("toolgate serve --token-file");
      // It prints, or opens, a link that may approve. Only with --json it does neither.
      return has(given, /^--json$/) && !has(given, /^--open$/) ? undefined : sure("toolgate serve");
    // A token that may approve.
    case "console":
      return sure("toolgate console");
    // Rules of its own, under which an agent of its own works.
    case "run":
    case "chat":
      return has(given, ownRules) ? sure(`toolgate ${first.text} --config`) : undefined;
    case "mcp":
      return has(given, ownRules) ? sure("toolgate mcp --config") : undefined;
    // Where questions end, and which rules would end them.
    case "suggest":
      return sure("toolgate suggest");
    // What is approved without asking.
    case "import":
      return has(given, /^--dry-run$/) ? undefined : sure("toolgate import rules");
    case "uninstall":
      return sure("toolgate uninstall");
    case "install":
      return has(given, /^--dry-run$/) ? undefined : sure("toolgate install");
    default:
      return undefined;
  }
}

/** Whoever brings the rules along says yes to every question of the others. */
const ownRules = /^--config(?:=|$)/;

const subcommands: Readonly<Record<string, RegExp | undefined>> = Object.assign(Object.create(null), {
  approvals: /^approve$/,
  tokens: /^(?:create|revoke)$/,
  upstreams: /^(?:accept|add|remove|import)$/,
  audit: /^prune$/,
  tools: /^call$/,
  sessions: /^(?:cancel|resume|remove)$/,
});

/** Every package manager has these: `$PM install x`. */
function isCommon({ name }: PersonsCommand, argv: readonly string[]): boolean {
  return /install$/.test(name) && !argv.some((word) => namesAgent(word) || word === "--all");
}

/** Of a copy under another name: only words that hardly any other program has beside each other. */
function copiedCommand([first, second, third]: readonly Word[]): PersonsCommand | undefined {
  const pair = `${first?.text} ${second?.text}`;
  if (/^(?:--help|-h)$/.test(third?.text ?? "")) return undefined;
  return /^(?:approvals approve|upstreams accept|grants revoke)$/.test(pair) ? sure(pair) : undefined;
}

/** `--config FILE` may stand before the command; every other option of ours there stands alone. */
function operandsOf(words: readonly Word[]): Word[] {
  const operands: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    if (word.known && word.text === "--config") at++;
    else if (!word.known || !word.text.startsWith("-")) operands.push(word);
  }
  return operands;
}

/** Directly behind the command, where it cannot be the value of an option. */
function isHelp(words: readonly Word[], command: Word): boolean {
  return /^(?:--help|-h)$/.test(words[words.indexOf(command) + 1]?.text ?? "");
}

function has(words: readonly Word[], option: RegExp): boolean {
  const end = words.findIndex(({ text }) => text === "--");
  return words.slice(0, end === -1 ? undefined : end).some(({ text }) => option.test(text));
}

function sure(name: string): PersonsCommand {
  return { name, certain: true };
}
