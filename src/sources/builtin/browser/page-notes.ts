/** What happened to a page besides what was asked for, told with the next answer: who reads it is a model. */
import { visible } from "../../../core/text/visible.ts";

export interface PageNotes {
  /** `why` is a sentence, and may say what to do. */
  refused(what: keyof typeof names, where: string, why: string): void;
  /** Something that the page says or does. */
  add(note: string): void;
  /** Those since the last time, as lines. */
  take(): string[];
}

const names = {
  page: "to go to",
  part: "to load",
  connection: "to connect to",
  window: "a new window for",
  download: "to download",
} as const;

const maxLength = 500;

export function createPageNotes(): PageNotes {
  // Apart, so that a page that says much cannot hide what was refused.
  const refusals = createLines(12);
  const others = createLines(8);
  return {
    refused: (what, where, why) => refusals.add(`Refused ${names[what]} ${shortened(where)}: ${why}`),
    add: (note) => others.add(note),
    take: () => [...refusals.take("refused"), ...others.take("told")],
  };
}

/** Each line once, with how often. */
function createLines(most: number) {
  let lines = new Map<string, number>();
  let more = 0;
  return {
    add: (line: string) => {
      const shown = visible(line, { maxLength });
      const times = lines.get(shown);
      if (times === undefined && lines.size >= most) more += 1;
      else lines.set(shown, (times ?? 0) + 1);
    },
    take: (what: string) => {
      const shown = [...lines].map(([line, times]) => `[${line}${times > 1 ? ` (${times} times)` : ""}]`);
      if (more > 0) shown.push(`[${more} more ${what}.]`);
      lines = new Map();
      more = 0;
      return shown;
    },
  };
}

/** An address may be a whole document. */
function shortened(address: string): string {
  return address.length > 200 ? `${address.slice(0, 200)}…` : address;
}
