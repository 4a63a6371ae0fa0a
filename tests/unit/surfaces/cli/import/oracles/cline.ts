/** Cline's own check of commands, written from its documentation: refused, or left to whether it asks. */
import { inWords, splitLine } from "./split-line.ts";
import { mildest, type OwnCall, type OwnVerdict } from "./verdict.ts";
import { matchesWildcard } from "./wildcard.ts";

export interface ClineOwn {
  readonly permissions?: {
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly allowRedirects?: boolean;
  };
  readonly actions?: Readonly<Record<string, boolean>>;
  readonly autoApprove?: Readonly<Record<string, readonly string[]>>;
}

export function clineVerdict(
  { permissions, actions = {}, autoApprove = {} }: ClineOwn,
  call: OwnCall,
): OwnVerdict {
  if (call.tool === "execute_command") {
    const isAll = actions.executeAllCommands === true && actions.executeSafeCommands === true;
    const line = String(call.input.command);
    const refused =
      permissions !== undefined &&
      mildest([verdictOf(line, permissions), verdictOf(line, permissions, inWords)]) === "deny";
    return refused ? "deny" : isAll ? "allow" : "none";
  }
  const [, server = "", tool = ""] = /^mcp__(.+?)__(.*)$/.exec(call.tool) ?? [];
  if (server !== "")
    return actions.useMcp === true && (autoApprove[server] ?? []).includes(tool) ? "allow" : "none";
  const path = String(call.input.path ?? "");
  const isInside = !path.startsWith("/") && !path.startsWith("..");
  if (["read_file", "list_files", "search_files"].includes(call.tool))
    return actions.readFiles === true && isInside ? "allow" : "none";
  if (["write_to_file", "replace_in_file"].includes(call.tool))
    return actions.editFiles === true && isInside ? "allow" : "none";
  return "none";
}

function verdictOf(
  line: string,
  { allow, deny = [], allowRedirects }: NonNullable<ClineOwn["permissions"]>,
  spell = (text: string) => text,
): OwnVerdict {
  if (hasLoose(line, /[\n\r`]/)) return "deny";
  const { commands, redirects, broken } = splitLine(line);
  if (broken) return "none";
  if (redirects && allowRedirects !== true) return "deny";
  if (commands.some((command) => deny.some((pattern) => matchesWildcard(spell(command), pattern, false))))
    return "deny";
  if (allow === undefined || allow.length === 0) return "none";
  return commands.every((command) => allow.some((pattern) => matchesWildcard(spell(command), pattern, false)))
    ? "none"
    : "deny";
}

/** Outside of quotes. */
function hasLoose(line: string, what: RegExp): boolean {
  return what.test(
    line.replaceAll(/\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, (part) =>
      part.startsWith('"') && part.includes("`") ? "`" : "",
    ),
  );
}
