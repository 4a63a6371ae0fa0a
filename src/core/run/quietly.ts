/** For a look at something that may not be there, or may belong to somebody else: a failure is the answer "nothing". */

export function quietly<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
