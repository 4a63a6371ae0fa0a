/** Permissions of Cline: CLINE_COMMAND_PERMISSIONS, and what it may do without asking. */
import { join } from "node:path";
import { isRecord } from "../../core/input/json.ts";
import { parseLooseJson } from "../loose-json.ts";
import { globText } from "./command-text.ts";
import { serverTool, unclearServer } from "./mcp-names.ts";
import { Collected, type FoundPermissions, type PermissionPlace, type PermissionScope } from "./own-rule.ts";
import { recordIn, type Settings, SettingsReader, texts } from "./read-settings.ts";

const variable = "CLINE_COMMAND_PERMISSIONS";

export function readClinePermissions(scope: PermissionScope, place: PermissionPlace): FoundPermissions {
  const reader = new SettingsReader();
  const found = new Collected();
  // All of it is the user's.
  if (scope === "project") return { ...found, ...reader };
  readVariable(place.env[variable], reader, found);
  const data = join(
    place.env.CLINE_DATA_DIR ?? join(place.env.CLINE_DIR ?? join(place.home, ".cline"), "data"),
  );
  const file = join(data, "globalState.json");
  const approvals = recordIn(reader.json(file), "autoApprovalSettings");
  const actions = approvals.enabled === false ? {} : recordIn(approvals, "actions");
  readActions(actions, file, found);
  const servers = join(data, "settings", "cline_mcp_settings.json");
  readServers(recordIn(reader.json(servers), "mcpServers"), servers, actions.useMcp === true, found);
  return { ...found, ...reader };
}

/** Outside of quotes. Backslashes and double quotes let the next character be itself. */
const outsideQuotes = `^(?:[^"'\\\\]|\\\\[\\s\\S]|"(?:[^"\\\\]|\\\\[\\s\\S])*"|'[^']*')*?`;

function readVariable(text: string | undefined, reader: SettingsReader, found: Collected): void {
  reader.lookedFor.push(variable);
  if (text === undefined || text === "") return;
  let settings: unknown;
  try {
    settings = parseLooseJson(text);
  } catch (error) {
    reader.fail(variable, (error as Error).message);
    return;
  }
  if (!isRecord(settings)) {
    reader.fail(variable, "it holds no mapping");
    return;
  }
  reader.files.push(variable);
  const glob = (pattern: string) => globText(pattern, { question: true, open: "always" });
  const allowed = texts(settings.allow).filter((pattern) => pattern.trim() !== "");
  const rule = { permit: "deny", file: variable } as const;
  for (const pattern of texts(settings.deny))
    found.add({ ...rule, written: `deny: ${pattern}`, about: { kind: "commands", text: glob(pattern) } });
  if (Array.isArray(settings.allow) && allowed.length > 0)
    found.add({ ...rule, written: "allow", about: { kind: "commands", except: allowed.map(exactGlob) } });
  for (const pattern of allowed)
    found.leave(`allow: ${pattern}`, variable, "it is not refused; whether Cline asks is another setting");
  const unseen =
    settings.allowRedirects === true ? "[\\n\\r\\u0085\\u2028\\u2029`]" : "[<>\\n\\r\\u0085\\u2028\\u2029`]";
  found.add({
    ...rule,
    written: "line breaks, backticks, redirects",
    about: { kind: "text", source: `${outsideQuotes}${unseen}` },
  });
  // In double quotes a backtick still runs a command.
  found.add({ ...rule, written: "backticks in quotes", about: { kind: "text", source: '"[^"\']*`' } });
}

/** Here a blank and `*` at the end need the blank. */
function exactGlob(pattern: string): ReturnType<typeof globText> {
  return globText(pattern, { question: true, open: "never" });
}

/** Which tools each of its switches speaks of. */
const toolsOf: Readonly<Record<string, readonly string[]>> = {
  readFiles: ["Read", "LS", "Grep", "Glob", "list_code_definition_names"],
  editFiles: ["Write", "Edit", "apply_patch", "apply_diff"],
  executeAllCommands: ["Bash"],
};

function readActions(actions: Settings, file: string, found: Collected): void {
  for (const [action, isOn] of Object.entries(actions)) {
    if (isOn !== true || action === "useMcp") continue;
    const written = `autoApprovalSettings.actions.${action}`;
    const names = toolsOf[action];
    if (action === "executeAllCommands" && actions.executeSafeCommands !== true)
      found.leave(written, file, "Cline uses it only together with executeSafeCommands");
    else if (names === undefined) found.leave(written, file, "no policy can say what it means");
    else if (action === "executeAllCommands")
      found.add({ permit: "allow", written, file, about: { kind: "commands" } });
    else found.add({ permit: "allow", written, file, about: { kind: "tools", names } });
  }
}

function readServers(servers: Settings, file: string, isOn: boolean, found: Collected): void {
  for (const [server, settings] of Object.entries(servers)) {
    const tools = isRecord(settings) ? texts(settings.autoApprove) : [];
    const written = `mcpServers.${server}.autoApprove`;
    if (tools.length === 0) continue;
    if (!isOn) found.leave(written, file, "useMcp is off, so Cline asks all the same");
    else {
      // A star is the name of no tool there.
      const said = tools.map((tool) => (tool === "*" ? undefined : serverTool(server, tool, "allow")));
      const names = said.filter((name) => name !== undefined);
      if (names.length < said.length) found.leave(written, file, unclearServer);
      if (names.length > 0) found.add({ permit: "allow", written, file, about: { kind: "tools", names } });
    }
  }
}
