/** A terminal that knows what we use of one: lines, the cursor going up, and erasing from there on. */
export interface Screen {
  readonly print: (text: string) => void;
  /** What a person sees. */
  readonly text: () => string;
}

export function createScreen(): Screen {
  let lines: string[] = [];
  let open = "";
  const print = (text: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
    for (const [part, up] of text.matchAll(/\r\u001b\[(\d+)A\u001b\[J|\n|[^\n\r]+|\r/g)) {
      if (up !== undefined) {
        lines = lines.slice(0, lines.length - Number(up));
        open = "";
      } else if (part === "\n") {
        lines.push(open);
        open = "";
      } else open += part;
    }
  };
  return { print, text: () => [...lines, open].join("\n") };
}
