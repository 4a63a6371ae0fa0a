/** How a command ended and what it said, as a test expects it. */
import { expect } from "vitest";

type Words = string | RegExp;

interface ExpectedEnd {
  /** 0 unless told. */
  readonly code?: number;
  /** Among other words; `""`: nothing at all. */
  readonly out?: Words | readonly Words[];
  readonly err?: Words | readonly Words[];
  /** On neither stream. */
  readonly never?: Words | readonly Words[];
}

interface End {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function expectEnd<Ended extends End>(
  running: Ended | Promise<Ended>,
  { code = 0, never = [], ...said }: ExpectedEnd,
): Promise<Ended> {
  const ended = await running;
  expect(ended.code, `${ended.out}${ended.err}`).toBe(code);
  for (const stream of ["out", "err"] as const)
    for (const words of [said[stream] ?? []].flat()) {
      if (words === "") expect(ended[stream]).toBe("");
      else if (typeof words === "string") expect(ended[stream]).toContain(words);
      else expect(ended[stream]).toMatch(words);
    }
  for (const words of [never].flat()) {
    if (typeof words === "string") expect(ended.out + ended.err).not.toContain(words);
    else expect(ended.out + ended.err).not.toMatch(words);
  }
  return ended;
}

/** It ends well, and prints these words among others. */
export function says<Ended extends End>(running: Ended | Promise<Ended>, ...out: Words[]): Promise<Ended> {
  return expectEnd(running, { out });
}

/** It ends with 1, prints nothing, and says why in these words, without a stack trace. */
export function refuses<Ended extends End>(running: Ended | Promise<Ended>, ...err: Words[]): Promise<Ended> {
  return expectEnd(running, { code: 1, out: "", err, never: "    at " });
}

/** It ends with 1, and prints these words among others. */
export function fails<Ended extends End>(running: Ended | Promise<Ended>, ...out: Words[]): Promise<Ended> {
  return expectEnd(running, { code: 1, out });
}

/** As a shell would split them: what stands in single quotes is one word. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
