/** Finds secrets by a fixed form: key blocks, passwords in URLs, authorization schemes, password flags. */
import { looksRandom } from "./looks-random.ts";
import { isMark, type Mark } from "./mark.ts";
import { matchAt, replaceParts } from "./replace-parts.ts";

export function redactCredentials(text: string, mark: Mark): string {
  let result = text;
  if (result.includes("-----BEGIN")) result = redactBlocks(result, mark);
  if (result.includes("-----END")) result = redactBlockEnds(result, mark);
  if (result.includes("://")) result = redactUrls(result, mark);
  if (scheme.test(result)) result = redactSchemes(result, mark);
  if (/(?:^|\s)-/.test(result)) result = redactProgramFlags(result, mark);
  return result;
}

/** By searching: a pattern would read the text a thousand times for a thousand BEGINs without an END. */
function redactBlocks(text: string, mark: Mark): string {
  return replaceParts(text, blockStart, mark, ({ index }, after) => {
    const end = text.indexOf("-----END", after);
    const isClosed = end !== -1 && matchAt(blockEnd, text, end) !== null;
    // A block that was cut off is a key all the same: everything after its start goes.
    return { kind: "private-key", start: index, end: isClosed ? blockEnd.lastIndex : text.length };
  });
}

const blockStart = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const blockEnd = /-----END [A-Z0-9 ]{0,60}-----/y;

/** The end of a key whose start was cut off: the lines above it are key, too. */
function redactBlockEnds(text: string, mark: Mark): string {
  return replaceParts(text, keyEnd, mark, ({ index }, end, done) => {
    let start = index;
    while (start > done) {
      const above = Math.max(text.lastIndexOf("\n", start - 2) + 1, done);
      if (start - above > 200 || !bodyLine.test(text.slice(above, start))) break;
      start = above;
    }
    return start === index ? undefined : { kind: "private-key", start, end };
  });
}

const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const bodyLine = /^[ \t]{0,16}[A-Za-z0-9+/]{1,100}={0,3}[ \t\r]{0,4}\n$/;

function redactUrls(text: string, mark: Mark): string {
  const withoutPassword = (whole: string, head: string, password: string): string =>
    isMark(password)
      ? whole
      : `${behindMark(withoutUser(head, mark), password, (secret) => mark("url-password", secret))}@`;
  return text
    .replace(databaseUrl, withoutPassword)
    .replace(urlPassword, withoutPassword)
    .replace(urlUser, (whole, user: string) => (looksRandom(user) ? `://${mark("url-user", user)}@` : whole));
}

/** `https://TOKEN:x-oauth-basic@host`: some services take the key as the user. */
function withoutUser(head: string, mark: Mark): string {
  const start = head.indexOf("://") + 3;
  const user = head.slice(start, -1);
  return looksRandom(user) ? `${head.slice(0, start)}${mark("url-user", user)}:` : head;
}

/** The user may be a mark, which has a colon of its own: then what follows the mark is looked at. */
function behindMark(head: string, secret: string, replace: (secret: string) => string): string {
  if (!head.endsWith("[redacted:")) return head + replace(secret);
  const [, rest, password = ""] = /^([a-z0-9#-]{1,60}\]:)(.*)$/s.exec(secret) ?? [];
  if (rest === undefined || password === "" || isMark(password)) return head + secret;
  return head + rest + replace(password);
}

/** Database passwords are pasted raw: `/`, `?`, `#` and `@` occur in them. */
const databaseUrl =
  /((?:postgres(?:ql)?|mysqlx?|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|ldaps?|smtps?)(?:\+\w{1,12})?:\/\/[^\s:@/"'<>`]{0,64}:)([^\s"'<>`]{1,128})@/g;
const urlPassword = /(:\/\/[^\s/:@?#"'<>`]{0,256}:)([^\s/?#"'<>`]{1,512})@/g;
const urlUser = /:\/\/([^\s/:@?#"'<>`]{16,256})@/g;

const scheme = /\b(?:bearer|basic|token|negotiate|digest)(?:\s|%20|\+)/i;

function redactSchemes(text: string, mark: Mark): string {
  return text
    .replace(bearer, (whole, head: string, secret: string) =>
      secret.length >= 20 || /\d/.test(secret) ? `${head}${mark("bearer", secret)}` : whole,
    )
    .replace(basic, (whole, head: string, secret: string) =>
      isUserAndPassword(secret) ? `${head}${mark("basic", secret)}` : whole,
    );
}

/** A line that ends with "token" says nothing about the next one. */
const bearer =
  /(\b(?:(?:bearer|negotiate)\s{1,4}|(?:bearer|token|negotiate)(?:[ \t]{1,4}|%20|\+)))([\w.~+/-]{8,}={0,3})/gi;
const basic = /(\bbasic(?:\s{1,4}|%20|\+))([A-Za-z0-9+/]{4,}={0,2})/gi;

/** Base64 of `user:password`, as opposed to a word after "basic". */
function isUserAndPassword(encoded: string): boolean {
  return /^[\x20-\x7e\u0080-\u00ff]*:[\x20-\x7e\u0080-\u00ff]*$/.test(
    Buffer.from(encoded.slice(0, 400), "base64").toString("latin1"),
  );
}

function redactProgramFlags(text: string, mark: Mark): string {
  const withoutPassword = (whole: string, head: string, password: string): string =>
    isMark(password) || password.startsWith("$")
      ? whole
      : behindMark(head, password, (secret) => mark("password", secret));
  return programFlags.reduce((result, pattern) => result.replace(pattern, withoutPassword), text);
}

const programFlags: readonly RegExp[] = [
  // `-u 1000:1000` of docker is a user and a group.
  /((?:^|\s)(?:-u|-U|--user|--proxy-user)[ =]{1,2}["']?[^\s:"'-][^\s:"']{0,63}:)(?!\d{1,6}(?:\s|$))([^\s"']{1,256})/g,
  /(\bsshpass\s{1,4}-p\s{0,4}["']?)([^\s"']{1,256})/g,
  /(\bmysql(?:dump|admin|import)?\b[^\n|;]{0,60}?\s-p["']?)([^\s"'-][^\s"']{0,255})/g,
  /(\b(?:docker|podman|helm)\s(?:registry\s)?login\b[^\n|;]{0,60}?\s-p[ =]["']?)([^\s"']{1,256})/g,
  /(\bredis-cli\b[^\n|;]{0,60}?\s-a\s{1,4}["']?)([^\s"']{1,256})/g,
];
