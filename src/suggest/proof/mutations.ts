/**
 * What somebody would make of an approved call: more commands, other options, other places, names that look alike.
 * None of them may be covered by a rule that was made from the call.
 */
import type { JsonObject } from "../../core/input/json.ts";
import { ownerOf } from "../floor/harmless-places.ts";
import { commandAttacks, evil } from "./command-attacks.ts";
import { homoglyphs } from "./look-alikes.ts";

export interface Mutation {
  readonly name: string;
  readonly input: JsonObject;
}

/** What the call holds, as it stands in the input. */
export interface MutableCall {
  readonly input: JsonObject;
  readonly command?: string | undefined;
  readonly path?: string | undefined;
  readonly url?: string | undefined;
}

export function mutate({ input, command, path, url }: MutableCall): Mutation[] {
  if (command !== undefined) return replaced(input, command, commandAttacks(command));
  if (url !== undefined) return replaced(input, url, urlAttacks(url));
  return path === undefined ? argumentAttacks(input) : replaced(input, path, pathAttacks(path));
}

const fields: readonly (readonly [string, JsonObject])[] = [
  ["another way to ask", { method: "POST" }],
  ["something to send", { body: "secret" }],
  ["headers", { headers: { authorization: "secret" } }],
  ["another folder beside it", { cwd: "vendor/x" }],
  ["variables beside it", { env: { PATH: "." } }],
  ["another shell", { shell: "./x" }],
  ["out of the sandbox", { dangerouslyDisableSandbox: true }],
  ["edits of other files", { edits: [{ file_path: ".env", old_string: "", new_string: "x" }] }],
  ["other files", { files: [{ path: ".git/hooks/pre-commit", content: "x" }] }],
  ["other addresses", { urls: [evil] }],
  ["other rights", { permissions: "0777" }],
  ["a field that nobody knows", { extra: "x" }],
];

/** What the call did not say. */
function more(input: JsonObject): Mutation[] {
  return fields
    .filter(([, added]) => Object.keys(added).every((key) => !(key in input)))
    .map(([name, added]) => ({ name, input: { ...input, ...added } }));
}

/** Of a call that holds none of them: more arguments, fewer, and others. */
function argumentAttacks(input: JsonObject): Mutation[] {
  const others = [
    "x; rm -rf x",
    "../../etc/passwd",
    `${"x".repeat(61)}`,
    "a b",
    "$(id)",
    "x\ny",
    `${evil}`,
    "",
    true,
    null,
    { x: "y" },
    ["x"],
  ];
  const keys = Object.keys(input);
  return [
    { name: "an argument more", input: { ...input, extra: "x" } },
    { name: "a command beside it", input: { ...input, command: "rm -rf x" } },
    { name: "a path beside it", input: { ...input, path: "/etc/passwd" } },
    ...keys.flatMap((key) => [
      {
        name: `without ${key}`,
        input: Object.fromEntries(Object.entries(input).filter(([one]) => one !== key)),
      },
      ...others
        .filter((value) => value !== input[key])
        .map((value) => ({ name: `another ${key}`, input: { ...input, [key]: value } })),
    ]),
  ];
}

/** In the field that holds the text; a copy elsewhere in the input stays as it was. */
function replaced(
  input: JsonObject,
  text: string,
  attacks: readonly (readonly [string, string])[],
): Mutation[] {
  const field = Object.keys(input).find((key) => input[key] === text);
  if (field === undefined) return [];
  return [
    ...attacks
      .filter(([, attack]) => attack !== text)
      .map(([name, attack]) => ({ name, input: { ...input, [field]: attack } })),
    ...more(input),
  ];
}

function pathAttacks(path: string): readonly (readonly [string, string])[] {
  const slash = path.lastIndexOf("/");
  const folder = path.slice(0, slash + 1);
  const base = path.slice(slash + 1);
  const dot = base.lastIndexOf(".");
  const stem = dot > 0 ? base.slice(0, dot) : base;
  return [
    ["a path above", `${folder}../../../../../../../../etc/cron.d/${base}`],
    ["the system", "/etc/passwd"],
    ["the home folder", `~/.ssh/${base}`],
    ["a key", `${folder}id_rsa`],
    ["a secret", `${folder}.env`],
    ["a hidden file", `${folder}.${base}`],
    ["a hidden folder", `${folder}.git/hooks/${base}`],
    ["a hook", ".git/hooks/pre-commit"],
    ["a script", `${folder}${stem}.sh`],
    ["another ending behind it", `${path}.sh`],
    ["settings of a service", ".github/workflows/x.yml"],
    ["scripts of the project", "package.json"],
    ["a file that tests run first", `${folder}conftest.py`],
    ["a file that builds run", `${folder}setup.py`],
    ["settings of a tool", `${folder}x.config${base.slice(stem.length)}`],
    ["the same in capitals", `${folder}Vite.Config${base.slice(stem.length)}`],
    ["what agents obey", `${folder}AGENTS.md`],
    ["code of others", `${folder}node_modules/x/${base}`],
    ["scripts beside it", `${folder}scripts/${base}`],
    ["a hidden name", `${folder}x/${base.slice(stem.length)}`],
    ["a folder that looks alike", path.replace(/^([^/]+)\//, "$1-x/")],
    ["letters that look alike", homoglyphs(path)],
    ["a zero byte", `${path}\0.sh`],
    ["a line break", `${path}\n.sh`],
    ["an invisible letter", `${folder}${stem}\u200b${base.slice(stem.length)}`],
    ["a URI", `file:///etc/${base}`],
  ];
}

function urlAttacks(text: string): readonly (readonly [string, string])[] {
  const url = URL.parse(text);
  if (url === null) return [];
  const { hostname, pathname } = url;
  const owner = ownerOf(url) ?? "";
  return [
    ["no encryption", `http://${hostname}${pathname}`],
    ["another host behind it", `https://${hostname}.evil.example${pathname}`],
    ["another host before it", `https://evil${hostname}${pathname}`],
    ["its host as a name", `https://${hostname}@evil.example${pathname}`],
    ["its host as a path", `https://evil.example/${hostname}${pathname}`],
    ["a host that looks alike", `https://${homoglyphs(hostname)}${pathname}`],
    ["a sub-domain", `https://x.${hostname}${pathname}`],
    ["another port", `https://${hostname}:8443${pathname}`],
    ["a query", `${text}?token=secret`],
    ["a fragment", `${text}#secret`],
    ["a path above", `https://${hostname}/../../x/%2e%2e/y?z`],
    ["an escape", `${text}%0aX`],
    ["a backslash", `https://evil.example\\@${hostname}${pathname}`],
    ["this machine", "https://127.0.0.1/"],
    ["the metadata of a cloud", "http://169.254.169.254/latest/meta-data/"],
    ["a file", "file:///etc/passwd"],
    ["another scheme", `ftp://${hostname}${pathname}`],
    ...(owner !== "/" && pathname.includes("/", 1)
      ? [["another owner", `https://${hostname}/evil${pathname.slice(pathname.indexOf("/", 1))}`] as const]
      : []),
  ];
}
