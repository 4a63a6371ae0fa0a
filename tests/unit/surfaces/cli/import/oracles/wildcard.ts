/** `*` for any characters, `?` for one, as OpenCode and Cline document it. */
export function matchesWildcard(text: string, pattern: string, openEnd: boolean): boolean {
  const isOpen = openEnd && pattern.endsWith(" *");
  const body = (isOpen ? pattern.slice(0, -2) : pattern)
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${body}${isOpen ? "( .*)?" : ""}$`, "s").test(text);
}
