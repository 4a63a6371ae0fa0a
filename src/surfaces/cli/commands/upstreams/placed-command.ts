/** The program of a server as it is written into the file: what was meant from the current folder holds everywhere. */
import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { JsonObject } from "../../../../core/input/json.ts";

export interface PlacedCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** `cwd`: where it was typed. `runsIn`: where the person wants it to run, which its arguments are seen from then. */
export function placeCommand(
  [program = "", ...args]: readonly string[],
  cwd: string,
  runsIn: string | undefined,
): PlacedCommand {
  return {
    // A name is looked for in PATH.
    program: program.includes("/") ? fromHere(program, cwd) : program,
    args: runsIn === undefined ? args.map((one) => placeArgument(one, cwd)) : args,
  };
}

/** A relative path as it is from here. Home, variables and whole paths mean the same everywhere. */
export function fromHere(path: string, cwd: string): string {
  return /^(?:~(?:\/|$)|\$\{)/.test(path) ? path : resolve(cwd, path);
}

/** `./x`, or the name of a file that is here: `node server.mjs`. The bare `.` stays: it is the project, whichever. */
function placeArgument(argument: string, cwd: string): string {
  const isWritten = /^\.\.?\/./.test(argument);
  const isHere =
    /[./]/.test(argument) && statSync(resolve(cwd, argument), { throwIfNoEntry: false })?.isFile();
  return isWritten || isHere === true ? fromHere(argument, cwd) : argument;
}

/** The script that an interpreter was to start, if there is none: its own words about that are many lines. */
export function missingFile({ command, args, cwd }: JsonObject, here: string): string | undefined {
  if (!interpreter.test(basename(String(command))) || !Array.isArray(args)) return undefined;
  const script = args.map(String).find((word) => !word.startsWith("-"));
  // A name without an ending, or one of the shell's, may be something else.
  if (script === undefined || !/^[^$~]+\.[a-z]{1,4}$/i.test(script)) return undefined;
  const file = resolve(here, typeof cwd === "string" ? cwd : ".", script);
  return statSync(file, { throwIfNoEntry: false }) === undefined ? file : undefined;
}

const interpreter = /^(?:node|bun|tsx|ts-node|python[\d.]*|ruby|php|perl|(?:ba|da|z)?sh)$/;
