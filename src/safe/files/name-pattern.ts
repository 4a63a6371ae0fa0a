/** Compares a file's name with a shell pattern of `*` and `?`, in a time that no name can stretch. */

export function fitsName(pattern: readonly string[], name: readonly string[]): boolean {
  const accepts = (wanted: string, given: string) => wanted === "?" || wanted === given;
  return fitsParts(pattern, name, (part) => part === "*", accepts);
}

/** A star takes any number of items. Going back to the last star is enough: it takes what any could. */
export function fitsParts<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isStar: (part: Part) => boolean,
  accepts: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < items.length; ) {
    if (at < parts.length && isStar(parts[at] as Part)) {
      star = at++;
      resume = index;
    } else if (at < parts.length && accepts(parts[at] as Part, items[index] as Item)) {
      at++;
      index++;
    } else if (star !== -1) {
      at = star + 1;
      index = ++resume;
    } else return false;
  }
  while (at < parts.length && isStar(parts[at] as Part)) at++;
  return at === parts.length;
}
