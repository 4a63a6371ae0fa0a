/** Colours for people at a terminal, and only for them. */
import pico from "picocolors";
import type { CliIo } from "./io.ts";

export type Colours = ReturnType<typeof pico.createColors>;

export function coloursFor({ isTerminal, env }: Pick<CliIo, "isTerminal" | "env">): Colours {
  const wanted = isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return pico.createColors(wanted);
}
