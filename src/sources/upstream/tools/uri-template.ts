/** Whether a URI could come from a URI template (RFC 6570): it has the fixed parts in order. Linear. */

export function matchesTemplate(template: string, uri: string): boolean {
  const parts = template.split(/\{[^{}]*\}/);
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return uri === template;
  if (!uri.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let from = first.length;
  for (const part of rest) {
    const at = uri.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return uri.length - last.length >= from && uri.endsWith(last);
}
