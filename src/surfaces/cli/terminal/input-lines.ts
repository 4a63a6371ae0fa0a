/** Standard input line by line, as it comes: a stream of any length needs the memory of one line. */

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
  let number = 1;
  let kept: string[] = [];
  let length = 0;
  const take = (piece: string) => {
    length += piece.length;
    if (length <= maxLength) kept.push(piece);
    else kept = [];
  };
  const end = (): InputLine => {
    const line = { number, text: length > maxLength ? undefined : kept.join("") };
    number++;
    kept = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      take(chunk.slice(from, at));
      from = at + 1;
      yield end();
    }
    take(chunk.slice(from));
  }
  if (length > 0) yield end();
}
