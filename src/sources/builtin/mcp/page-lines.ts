/** A page of what upstream servers offer, as text: one line each, as many as fit, and how to see the rest. */
const maxCharacters = 24_000;

export interface PageLines {
  readonly text: string;
  /** How many of the page are in it. */
  readonly shown: number;
}

export function pageLines<Item>(
  items: readonly Item[],
  lineOf: (item: Item) => string,
  { none, nextCursor }: { readonly none: string; readonly nextCursor: string | undefined },
): PageLines {
  const lines: string[] = [];
  let length = 0;
  for (const item of items) {
    const line = lineOf(item);
    length += line.length + 1;
    if (length > maxCharacters) break;
    lines.push(line);
  }
  const shown = lines.length;
  if (items.length === 0) lines.push(none);
  if (shown < items.length) lines.push(`[${items.length - shown} more are not shown; name a server.]`);
  if (nextCursor !== undefined) lines.push(`[More: call again with cursor ${nextCursor}]`);
  return { text: lines.join("\n"), shown };
}

/** What both lists take. */
export const pageInput = {
  type: "object",
  properties: {
    server: { type: "string", minLength: 1, maxLength: 200, description: "Only this server's." },
    cursor: { type: "string", minLength: 1, maxLength: 4_000, description: "From the answer before." },
  },
  additionalProperties: false,
} as const;
