/** The exchangeable parts of the judge, so that tests can break one and see the attack suite notice. */

import type { HereDocBody, ParameterOperation, WordPart } from "unbash";
import type { CommandUse } from "./command-use.ts";
import { KNOWN_COMMANDS } from "./known-commands/table.ts";
import { LOOP_PARTS, type LoopParts } from "./loops.ts";
import { isPlainOperand } from "./words/expansion-operands.ts";
import { WRAPPERS } from "./wrappers/wrappers.ts";

/** Reads the arguments of one program and says on `use` what it does. */
export type KnownCommand = (use: CommandUse) => void;

/** Like a known command, but adds the command (and the ones inside) itself. */
export type Wrapper = (use: CommandUse) => void;

export interface JudgeParts {
  readonly known: ReadonlyMap<string, KnownCommand>;
  readonly wrappers: ReadonlyMap<string, Wrapper>;
  /** The expansions in the body of a here-document; none when its delimiter is quoted. */
  readonly hereDocParts: (body: HereDocBody) => readonly WordPart[] | undefined;
  readonly findLongOption: (options: ReadonlyMap<string, number>, name: string) => number | undefined;
  readonly isKnownName: (name: string) => boolean;
  /** What follows the name in `"${x...}"` means the same whether quotes quote there or not. */
  readonly isPlainOperand: (operation: ParameterOperation) => boolean;
  readonly loops: LoopParts;
}

export const JUDGE_PARTS: JudgeParts = {
  known: KNOWN_COMMANDS,
  wrappers: WRAPPERS,
  hereDocParts: (body) => body.parts,
  findLongOption: (options, name) => options.get(name),
  isKnownName: (name) => KNOWN_COMMANDS.has(name) || WRAPPERS.has(name),
  isPlainOperand,
  loops: LOOP_PARTS,
};
