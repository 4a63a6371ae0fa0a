/** For a look at something that may not be there, or not be ours: every failure means "nothing". */

export function quietly<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
