/** Standard input line by line, as it comes: a stream of any length needs the memory of one line. */
import { LineReader } from "../../../core/text/line-reader.ts";

export interface InputLine {
  /** As an editor counts. */
  readonly number: number;
  /** Undefined: longer than `maxLength`, so it was not kept. */
  readonly text: string | undefined;
}

export async function* readLines(
  chunks: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<InputLine> {
  const ready: InputLine[] = [];
  let count = 0;
  const add = (text: string | undefined) => ready.push({ number: ++count, text });
  const reader = new LineReader(maxLength, { line: add, tooLong: () => add(undefined) });
  for await (const chunk of chunks) {
    reader.take(chunk);
    yield* ready.splice(0);
  }
  reader.end();
  yield* ready;
}
