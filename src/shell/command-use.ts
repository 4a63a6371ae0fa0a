/** Collects what one command does while its arguments are read, and adds it to the judgement. */

import type { CommandTree, JudgedCommand } from "../core/ports/command.ts";
import type { RepositoryUse } from "../core/ports/repository.ts";
import { wordSet } from "../core/text/words.ts";
import { type Arg, GLOB, LITERAL, MANY } from "./arg.ts";
import { type Loop, loopChoices, spendChoices } from "./loops.ts";
import { resolvePaths } from "./paths.ts";
import {
  addCommand,
  markOpaque,
  OPAQUE,
  READ,
  RISKS,
  raiseRisk,
  START_DIRECTORY,
  type Walk,
} from "./walk.ts";

const NONE: readonly never[] = Object.freeze([]);

const ELSEWHERE = { elsewhere: true } as const;
const FED = { fed: true } as const;
const NOT_CHOSEN = { pathsNotChosen: true } as const;

/** Nothing but a variable, perhaps with `.` for nothing: `$x.env` and `${x:-/etc}` are the line's choice. */
const WHOLE_VARIABLE = /^\$(?:\w+|\{\w+(?::?-\.?)?\})$/;

/** They tell names and sizes, but nothing of what is in a file. */
const LISTS_ONLY = wordSet("ls dir stat du df test [ basename dirname realpath readlink");

/** What of a folder a program enters. */
export type TreeReach = Omit<CommandTree, "path" | "access" | "glob">;

export class CommandUse {
  readonly walk: Walk;
  /** All words, the program first. */
  readonly args: readonly Arg[];
  risk = READ;
  network = false;
  unknownPaths = false;
  /** Changes files that the repository tracks; adds to `unknownPaths` without anybody having chosen them. */
  trackedPaths = false;
  repository: RepositoryUse | undefined = undefined;
  beyond: string | undefined = undefined;
  settings: readonly string[] | undefined = undefined;
  runs: readonly JudgedCommand[] | undefined = undefined;
  #reads: string[] | undefined = undefined;
  #writes: string[] | undefined = undefined;
  #globs: string[] | undefined = undefined;
  #trees: CommandTree[] | undefined = undefined;
  #loops: Loop[] | undefined = undefined;

  constructor(walk: Walk, args: readonly Arg[]) {
    this.walk = walk;
    this.args = args;
  }

  raise(risk: number): void {
    if (risk > this.risk) this.risk = risk;
  }

  /** More than the plain use of a program that is known for reading. */
  goesBeyond(reason: string, risk: number): void {
    this.beyond ??= reason;
    this.raise(risk);
  }

  cannotTell(reason: string): void {
    this.risk = OPAQUE;
    markOpaque(this.walk, reason, this.args.map((arg) => arg.text).join(" "));
  }

  readPath(arg: Arg): void {
    if (arg.kind !== LITERAL) {
      if (!this.#takeFromLoops(arg, false)) this.#unknown(arg);
    } else if (arg.text !== "-" && arg.text !== "") this.#reads = this.#add(this.#reads, arg.text);
  }

  /** What is opened where the name is not there: `zcat log` opens `log.gz`. Patterns name what is there. */
  readCompleted(arg: Arg, endings: readonly string[]): void {
    if (arg.kind === GLOB) return;
    const choices = arg.kind === LITERAL ? [{ text: arg.text, glob: false }] : loopChoices(this.walk, arg);
    if (choices === undefined && !arg.pathless) this.unknownPaths = true;
    for (const { text, glob } of choices ?? []) {
      if (glob || text === "-" || text === "" || endings.some((ending) => text.endsWith(ending))) continue;
      for (const ending of endings) this.#reads = this.#add(this.#reads, text + ending);
    }
  }

  writePath(arg: Arg): void {
    if (arg.kind !== LITERAL) {
      if (this.#takeFromLoops(arg, true)) return;
      if (arg.pathless && arg.prefix !== "/dev/fd/") this.unknownPaths = true;
      this.#unknown(arg);
    } else if (arg.text !== "") this.#writes = this.#add(this.#writes, arg.text);
  }

  /** What was found while some of its words were read by themselves. */
  takeOver(part: CommandUse): void {
    if (part.beyond !== undefined) this.goesBeyond(part.beyond, part.risk);
    this.unknownPaths ||= part.unknownPaths;
    if (part.#reads !== undefined) this.#reads = [...(this.#reads ?? NONE), ...part.#reads];
    if (part.#writes !== undefined) this.#writes = [...(this.#writes ?? NONE), ...part.#writes];
    if (part.#globs !== undefined) this.#globs = [...(this.#globs ?? NONE), ...part.#globs];
  }

  /** Everything below a folder, as far as the program enters it: `grep -r x src`. */
  useTree(arg: Arg, access: CommandTree["access"], reach: TreeReach = {}): void {
    if (access === "read") this.readPath(arg);
    else this.writePath(arg);
    const isKnown = arg.kind === LITERAL || arg.kind === GLOB;
    const choices = isKnown ? [{ text: arg.text, glob: arg.kind === GLOB }] : loopChoices(this.walk, arg);
    if (choices === undefined && !arg.pathless) this.unknownPaths = true;
    for (const { text, glob } of choices ?? []) {
      for (const path of resolvePaths(this.walk, text)) {
        if (path === undefined) continue;
        this.#trees ??= [];
        this.#trees.push({ ...reach, path, access, ...(glob && { glob }) });
      }
    }
  }

  finish(): void {
    const { walk, args } = this;
    const argv: string[] = [];
    let dynamic: number[] | undefined;
    let fromEnvironment = walk.directories === START_DIRECTORY && LISTS_ONLY.has(args[0]?.text ?? "");
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as Arg;
      argv.push(arg.text);
      if (arg.kind !== LITERAL) {
        dynamic ??= [];
        dynamic.push(i);
        if (arg.tainted || !WHOLE_VARIABLE.test(arg.text)) fromEnvironment = false;
      }
    }
    const common = {
      argv,
      dynamic: dynamic ?? NONE,
      risk: RISKS[this.risk] ?? "opaque",
      reads: this.#reads ?? NONE,
      writes: this.#writes ?? NONE,
      globs: this.#globs ?? NONE,
      unknownPaths: this.unknownPaths || this.trackedPaths,
      network: this.network,
      via: walk.via,
      ...(walk.directories === START_DIRECTORY ? undefined : ELSEWHERE),
      ...(walk.fed ? FED : undefined),
      ...((this.unknownPaths && dynamic !== undefined && fromEnvironment) ||
      (this.trackedPaths && !this.unknownPaths)
        ? NOT_CHOSEN
        : undefined),
      ...(this.#trees && { trees: this.#trees }),
      ...(this.repository === undefined ? undefined : { repository: this.repository }),
      ...(this.settings === undefined ? undefined : { settings: this.settings }),
      ...(this.runs === undefined ? undefined : { runs: this.runs }),
    };
    raiseRisk(walk, this.risk);
    if (this.network) walk.network = true;
    const command = this.beyond === undefined ? common : { ...common, beyond: this.beyond };
    addCommand(walk, command);
    if (this.#loops === undefined) return;
    walk.loopUses ??= [];
    walk.loopUses.push({ loops: this.#loops, command });
  }

  #add(list: string[] | undefined, path: string): string[] {
    const paths = list ?? [];
    if (this.walk.directories === START_DIRECTORY) {
      paths.push(path);
      return paths;
    }
    for (const resolved of resolvePaths(this.walk, path)) {
      if (resolved === undefined) this.unknownPaths = true;
      else paths.push(resolved);
    }
    return paths;
  }

  #unknown(arg: Arg): void {
    if (arg.pathless) return;
    if (arg.kind === GLOB) this.#globs = this.#add(this.#globs, arg.text);
    else this.unknownPaths = true;
  }

  /** Adds the paths of a word whose unknown parts are variables of loops; false: they are not certain. */
  #takeFromLoops(arg: Arg, written: boolean): boolean {
    const choices = loopChoices(this.walk, arg);
    // What is written need not exist yet, so no glob can name it.
    if (choices === undefined || (written && choices.some((choice) => choice.glob))) return false;
    if (!spendChoices(this.walk, choices.length)) return false;
    for (const { text, glob } of choices) {
      if (glob) this.#globs = this.#add(this.#globs, text);
      else if (written) this.#writes = this.#add(this.#writes, text);
      else this.#reads = this.#add(this.#reads, text);
    }
    // A number is no path of interest, whichever it is.
    if (written || !arg.pathless) this.#dependsOn(arg);
    return true;
  }

  /** True for words after which paths may stand elsewhere; the words of a loop are one each. */
  shiftsPaths(arg: Arg): boolean {
    const choices = loopChoices(this.walk, arg);
    if (choices === undefined) return CommandUse.mayShift(arg);
    this.#dependsOn(arg);
    return choices.some((choice) => choice.glob);
  }

  #dependsOn(arg: Arg): void {
    this.#loops ??= [];
    for (const slot of arg.slots ?? []) this.#loops.push(slot.loop);
  }

  /** True for words that may turn into several, so that options and values can shift. */
  static mayShift(arg: Arg): boolean {
    return arg.kind === MANY || arg.kind === GLOB;
  }
}
