/** OpenCode's own matching, written from its documentation: of all rules that match the last one decides. */
import { isAbsolute, join, relative, resolve } from "node:path";
import { inWords, splitLine } from "./split-line.ts";
import { mildest, type OracleWorld, type OwnCall, type OwnVerdict, strictest } from "./verdict.ts";
import { matchesWildcard } from "./wildcard.ts";

type Action = "allow" | "ask" | "deny";
export type OpencodePermission = Action | Readonly<Record<string, Action | Readonly<Record<string, Action>>>>;

export interface OpencodeOwn {
  readonly user?: OpencodePermission;
  readonly project?: OpencodePermission;
}

export function opencodeVerdict(
  { user, project }: OpencodeOwn,
  call: OwnCall,
  world: OracleWorld,
): OwnVerdict {
  const rules = flatten(merged(merged({}, user), project));
  const decide = (key: string, text: string): OwnVerdict =>
    rules.findLast(
      (rule) =>
        matchesWildcard(key, rule.key, true) && matchesWildcard(text, homely(rule.pattern, world), true),
    )?.action ?? "none";
  if (call.tool === "bash") {
    const { commands, complex, broken, redirects } = splitLine(String(call.input.command));
    const verdicts = (spell: (command: string) => string) =>
      strictest(commands.map((command) => decide("bash", spell(command))));
    const verdict = mildest([verdicts((one) => one), verdicts(inWords)]);
    if (commands.length === 0 || broken) return "none";
    return verdict === "allow" && (complex || redirects) ? "none" : verdict;
  }
  const key = keys[call.tool] ?? call.tool;
  if (key === "webfetch") {
    const url = String(call.input.url);
    // Another spelling of the same address.
    return mildest([decide(key, url), decide(key, URL.parse(url)?.href ?? url)]);
  }
  if (key !== "read" && key !== "edit") return decide(key, "*");
  const absolute = resolve(world.root, String(call.input.filePath));
  const way = relative(world.root, absolute);
  const isOutside = way.startsWith("..") || isAbsolute(way);
  const own = decide(key, isOutside ? absolute : way);
  const outside = isOutside ? decide("external_directory", absolute) : "allow";
  return strictest([own, outside]);
}

const keys: Readonly<Record<string, string>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  patch: "edit",
  webfetch: "webfetch",
};

function homely(pattern: string, { home }: OracleWorld): string {
  return pattern.startsWith("~/") ? join(home, pattern.slice(2)) : pattern.replace(/^\$HOME(?=\/)/, home);
}

type Loose = { [key: string]: unknown };

function merged(base: Loose, over: OpencodePermission | undefined): Loose {
  const result: Loose = { ...base };
  for (const [key, value] of Object.entries(
    over === undefined ? {} : typeof over === "string" ? { "*": over } : over,
  )) {
    const there = result[key];
    result[key] =
      typeof value === "object" && typeof there === "object"
        ? { ...there, ...value }
        : typeof value === "object" && typeof there === "string"
          ? { "*": there, ...value }
          : value;
  }
  return result;
}

function flatten(permission: Loose): { key: string; pattern: string; action: Action }[] {
  return Object.entries(permission).flatMap(([key, value]) =>
    Object.entries(typeof value === "string" ? { "*": value } : (value as object)).map(
      ([pattern, action]) => ({ key, pattern, action: action as Action }),
    ),
  );
}
