/** Lines that stay at the bottom of a terminal while everything else is printed above them. */
import type { CliIo } from "./io.ts";
import { cutToWidth, terminalWidth } from "./text-width.ts";

export interface Footer {
  /** For everything that is printed meanwhile. */
  readonly io: CliIo;
  /**
   * In place of the lines before. Each takes one line: what is longer is cut. Nothing: they go away.
   * `about`: a terminal that only prints gets them when this is another one.
   */
  show(lines: readonly string[], about: string): void;
}

/** Elsewhere than at a terminal it shows nothing. */
export function createFooter(io: CliIo): Footer {
  if (!io.isTerminal) return { io, show: () => {} };
  if (io.env.TERM === "dumb") return { io, show: onlyPrinting(io) };
  let lines: readonly string[] = [];
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) io.out(`\r\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = (): void => {
    // A line that wraps would be two, and one of them would stay.
    const width = (terminalWidth(io) ?? 120) - 1;
    if (lines.length > 0) io.out(lines.map((line) => `${cutToWidth(line, width)}\n`).join(""));
    drawn = lines.length;
  };
  const above =
    (print: (text: string) => void) =>
    (text: string): void => {
      if (text === "") return;
      erase();
      print(text);
      draw();
    };
  return {
    io: { ...io, out: above(io.out), err: above(io.err) },
    show(next) {
      if (next.length === lines.length && next.every((line, index) => line === lines[index])) return;
      erase();
      lines = next;
      draw();
    },
  };
}

function onlyPrinting(io: CliIo): Footer["show"] {
  let shown = "";
  return (lines, about) => {
    if (about !== shown && lines.length > 0) io.out(`${lines.join("\n")}\n`);
    shown = about;
  };
}
