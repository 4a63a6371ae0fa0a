/** The address of a remote without what would let somebody in: user names with passwords, tokens, queries. */
import { redactText } from "../../../safe/redact/redact.ts";

export function withoutCredentials(address: string): string {
  const [, helper = "", rest = ""] = /^((?:[\w+-]+::)*)(.*)$/s.exec(address) ?? [];
  // `ext::` and its like are followed by a command line, where anything may stand.
  if (helper !== "" && !/^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) return `${helper}...`;
  return redactText(helper + cleaned(rest));
}

function cleaned(address: string): string {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/is.exec(address);
  if (url === null) return scpLike(address);
  const [, scheme = "", authority = "", path = ""] = url;
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(0, at));
  // `git@` says nothing; over HTTP the name alone may be a token.
  const kept =
    /^(?:ssh|git\+ssh|ssh\+git|git)$/i.test(scheme) && /^[\w.-]{1,32}$/.test(user) ? `${user}@` : "";
  // A password with / or # ends the authority early. After a colon only a port belongs to the host.
  const host = authority.slice(at + 1).replace(/(?<!\[[^\]]*):(?!\d{1,5}$).*$/s, "");
  return `${scheme}://${kept}${host}${path.replace(/;.*$/s, "")}`;
}

/** `git@host:path`; a local path stays as it is. */
function scpLike(address: string): string {
  const at = address.indexOf("@");
  const slash = address.indexOf("/");
  if (at === -1 || (slash !== -1 && slash < at)) return address.replace(/[?#].*$/s, "");
  const user = address.slice(0, at);
  const rest = address.slice(address.lastIndexOf("@", slash === -1 ? address.length : slash) + 1);
  return `${/^[\w.-]{1,32}$/.test(user) ? `${user}@` : ""}${rest.replace(/[?#].*$/s, "")}`;
}
