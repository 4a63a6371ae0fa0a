/** Compares a file's name with a shell pattern of `*` and `?`, in a time that no name can stretch. */

/** Goes back to the last star only. */
export function fitsName(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < name.length; ) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at++;
      resume = index;
    } else if (wanted === "?" || wanted === name[index]) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
