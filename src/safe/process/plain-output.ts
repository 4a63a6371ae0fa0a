/** Output as a model can use it: no colours or cursor moves, and of a redrawn line the last state. */

export function plainOutput(text: string): string {
  if (!unusual.test(text)) return text;
  const lines = text.replace(escapeSequence, "").split("\n");
  return lines.map(lastDrawn).join("\n").replace(control, "");
}

/** What stands before a carriage return was drawn over by what follows it. */
function lastDrawn(line: string): string {
  const drawn = line.replace(/\r+$/, "");
  return drawn.slice(drawn.lastIndexOf("\r") + 1);
}

/** CSI (colours, cursor), OSC (titles, links) ended by BEL or ST, short escapes. Unended ones stay. */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /\u001b(?:\[[0-?]{0,100}[ -/]{0,10}[@-~]|\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|[ -/]{0,10}[0-Z\\^-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const unusual = /[\u0000-\u0008\u000b-\u001f\u007f]/;
