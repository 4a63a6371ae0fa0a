// Ordinary lines: code of installed packages with a permissive licence, read where it lies, and generated logs.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const permissive = /^\(?(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0)\b/;
const linesOfFile = 60;
/** Longer ones are not written by people. */
const longLine = 400;

/** `{ name, text }` of pieces with `count` lines in all, evenly over all packages. */
export function ordinaryCode(folders, count) {
  const files = folders.flatMap((folder) => codeFiles(folder));
  const step = Math.max(1, Math.floor((files.length * linesOfFile) / (count * 3)));
  const pieces = [];
  let lines = 0;
  for (let start = 0; start < step && lines < count; start++) {
    for (let at = start; at < files.length && lines < count; at += step) {
      const all = readFileSync(files[at], "utf8").split("\n");
      if (all.length < 20 || all.some((line) => line.length > longLine)) continue;
      const from = Math.max(0, Math.floor((all.length - linesOfFile) / 2));
      const some = all.slice(from, from + Math.min(linesOfFile, count - lines));
      pieces.push({ name: files[at], text: some.join("\n") });
      lines += some.length;
    }
  }
  if (lines < count) throw new Error(`Only ${lines} lines of code were found in ${folders.join(", ")}.`);
  return pieces;
}

function codeFiles(folder) {
  const licences = new Map();
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?js|[cm]?ts|tsx|jsx|py|css|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[/\\](?:tests?|__tests__|fixtures|examples?)[/\\]|\.min\./.test(file))
    .filter((file) => permissive.test(licenceOf(dirname(file), licences)))
    .sort();
}

function licenceOf(folder, known) {
  if (known.has(folder)) return known.get(folder);
  let licence;
  try {
    ({ license: licence } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  } catch {
    // No package begins here.
  }
  const up = dirname(folder);
  const found =
    typeof licence === "string"
      ? licence
      : folder.endsWith("node_modules") || up === folder
        ? ""
        : licenceOf(up, known);
  known.set(folder, found);
  return found;
}

/** Lines of many programs; the words that name secrets occur in them as they do in real ones. */
export function ordinaryLogs(random, count) {
  const { below, text, one } = random;
  const hex = (length) => text(length, "0123456789abcdef");
  const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
  const time = () =>
    `2026-0${1 + below(9)}-1${below(10)}T0${below(10)}:${10 + below(50)}:${10 + below(50)}.${100 + below(900)}Z`;
  const word = () =>
    one("cart order user index cache worker queue render upload login session token key page".split(" "));
  const file = () => `src/${word()}/${word()}-${word()}.ts`;
  const ip = () => `10.${below(250)}.${below(250)}.${below(250)}`;
  const makers = [
    () =>
      `${ip()} - - [${time()}] "GET /${word()}/${below(9_999)}?page=${below(9)} HTTP/1.1" 200 ${below(99_999)}`,
    () => `${time()} INFO  [${word()}] request ${uuid()} done in ${below(900)} ms`,
    () =>
      JSON.stringify({
        level: 30,
        time: 1_750_000_000_000 + below(1e9),
        pid: below(60_000),
        reqId: uuid(),
        msg: `${word()} ok`,
      }),
    () => `commit ${hex(40)}`,
    () => `${hex(7)} ${word()}: ${word()} the ${word()} ${word()}`,
    () => `    at ${word()}${one(["", ".run", ".call"])} (/app/${file()}:${below(900)}:${below(80)})`,
    () => `${file()}:${below(900)}: const ${word()} = ${word()}(${word()});`,
    () =>
      `${file()}(${below(900)},${below(80)}): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Token'.`,
    () =>
      `SyntaxError: Unexpected token '${one(["<", "export", "}", "const"])}' in JSON at position ${below(9_000)}`,
    () =>
      `${one(["Password", "Token", "The password", "The API key", "PIN"])} is ${one(["required", "invalid", "missing", "too short", "not set", "expired", "hashed before it is stored", "optional"])}.`,
    () =>
      `usage: prompt_tokens=${below(9_000)} completion_tokens: ${below(900)}, total_tokens: ${below(9_900)}, max_tokens=4096`,
    () => `gpio: pin: ${below(40)}, mode: output, pull: up`,
    () =>
      `{"type":"password","name":"password","label":"Password","required":true,"minLength":${8 + below(8)}}`,
    () => `sha256:${hex(64)} ${below(900)}MB ${word()}:latest`,
    () =>
      `integrity sha512-${text(86, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/")}${"=".repeat(2)}`,
    () => `npm http fetch GET 200 https://registry.example/${word()}-${word()} ${below(900)}ms (cache hit)`,
    () =>
      `drwxr-xr-x  ${below(9)} root root ${below(9_999)} Mar ${1 + below(28)} 10:${10 + below(50)} ${word()}-${word()}`,
    () => `[${time()}] session ${uuid()} opened for ${one(["bob", "ann", "eve"])}, ${below(40)} tokens left`,
    () => `kubectl: secrets "${word()}-config" not found in namespace ${word()}`,
    () =>
      `order ${below(1e9)}${below(1e6)} paid, invoice 2026-${10_000 + below(80_000)}, total ${below(900)}.${10 + below(89)} EUR`,
    () => `metric{path="/${word()}",code="200"} ${below(1e9)} ${1_750_000_000_000 + below(1e9)}`,
    () => `Cache key: ${word()}/${word()}/${below(99)} (primary key: id, sort key: created_at)`,
    () =>
      `img data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${text(40, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")}`,
    () =>
      `toolu_${text(24, "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789")} fs.read ${file()} -> ${below(9_000)} characters`,
  ];
  return Array.from({ length: Math.ceil(count / 100) }, (_, piece) => ({
    name: `generated log ${piece + 1}`,
    text: Array.from({ length: Math.min(100, count - piece * 100) }, () => one(makers)()).join("\n"),
  }));
}
