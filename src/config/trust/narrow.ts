/** What an untrusted project file may say: it can make the gate stricter, and nothing else. */
import type { RuleSource } from "../../core/call/errors.ts";
import type { CommandHook } from "../../core/call/hook.ts";
import type { SandboxRules } from "../../core/tool/sandbox-rules.ts";
import type { Policy } from "../../rules/policies.ts";
import type { Route } from "../../rules/routes.ts";
import { patternsOf } from "../../rules/rule-set.ts";
import { explainForeignPattern } from "../../safe/regex/safe-regex.ts";
import type { FileSettings } from "../file/file-settings.ts";
import type { ParsedFile } from "../file/parse-file.ts";
import type { Ignored } from "../loaded-config.ts";
import type { UpstreamEntry } from "../settings/upstream-settings.ts";

export interface Narrowed {
  readonly file: ParsedFile;
  readonly ignored: readonly Ignored[];
}

export function narrow(parsed: ParsedFile, file: string): Narrowed {
  const ignored: Ignored[] = [];
  const ignore = (what: string, why: string, source?: { readonly line?: number }, detail?: string) =>
    ignored.push({
      file,
      what,
      why,
      ...(detail !== undefined && { detail }),
      ...(source?.line !== undefined && { line: source.line }),
    });
  const takes = (rule: string, why: string | undefined, source: RuleSource | undefined): boolean => {
    if (why !== undefined) ignore(rule, why, source);
    return why === undefined;
  };
  const routes = parsed.routes.filter((route) =>
    takes(`route "${route.name}"`, whyNotRoute(route), route.source),
  );
  const policies = parsed.policies.filter((policy) =>
    takes(`policy "${policy.name}"`, whyNotPolicy(policy), policy.source),
  );
  for (const hook of parsed.hooks)
    ignore(`hook "${hook.name}"`, "it runs a command", hook.source, shown(hook));
  const {
    hooks,
    shell,
    sandbox,
    server,
    sessions,
    notify,
    store,
    tools,
    upstreams = [],
    ...others
  } = parsed.settings;
  if (hooks?.concurrent !== undefined) ignore("hooks.concurrent", "it is about other files' hooks");
  if (hooks?.ask !== undefined) ignore("hooks.ask", "it would choose who is asked");
  const { disabledCategories, hidden, ...switchesOn } = tools ?? {};
  if (hidden !== undefined) ignore("tools.hidden", "it would say what clients see");
  if (Object.keys(switchesOn).length > 0) ignore("tools", "it would switch tools on");
  for (const [section, why] of Object.entries(refused))
    if (others[section as RefusedSection] !== undefined) ignore(section, why);
  if (sandbox?.network === true) ignore("sandbox.network", "it would open the network");
  if (shell?.dialect !== undefined && shell.dialect !== "zsh")
    ignore("shell.dialect", "it would read command lines less strictly");
  for (const { name, transport, source } of upstreams) {
    const why = transport.kind === "http" ? "it would send calls to a server" : "it starts a program";
    ignore(`upstream "${name}"`, why, source, whatItReaches(transport));
  }
  // Only what is named here is taken: a setting that the format gets later counts once it is listed.
  const settings: FileSettings = {
    ...(hooks !== undefined && { hooks: stricterHooks(hooks) }),
    ...(shell?.dialect === "zsh" && { shell: { dialect: shell.dialect } }),
    ...(sandbox !== undefined && { sandbox: stricterSandbox(sandbox) }),
    ...(disabledCategories !== undefined && { tools: { disabledCategories } }),
    // Taken from no project, trusted or not: whoever merges the files leaves it out, and says so.
    ...(server !== undefined && { server }),
    ...(sessions !== undefined && { sessions }),
    ...(notify !== undefined && { notify }),
    ...(store !== undefined && { store }),
  };
  return { file: { ...parsed, routes, policies, hooks: [], settings }, ignored };
}

/** Sections of which only the strict values are taken, or that are told one by one. */
type ListedSection =
  | "hooks"
  | "shell"
  | "sandbox"
  | "tools"
  | "upstreams"
  | "server"
  | "sessions"
  | "notify"
  | "store";
type RefusedSection = Exclude<keyof FileSettings, ListedSection>;

/** Why a file that nobody trusts may not say it. A new section does not compile until it is listed. */
const refused: Readonly<Record<RefusedSection, string>> = {
  categories: "it would say how much tools may do",
  plugins: "it would add tools",
  // Everything that is searched for would go to it, with the key of an environment variable that it names. And
  // it would open one's own network.
  web: "it would choose who is asked, and what of this network is reached",
  ledger: "it would say how records are kept",
  mcp: "it would say what clients are shown and who answers questions",
  shipped: "it would switch shipped routes off",
};

/** Of these the strictest file counts, so whatever it says, it cannot loosen what others say. */
function stricterHooks(said: NonNullable<FileSettings["hooks"]>): NonNullable<FileSettings["hooks"]> {
  const { default: silence, unsure } = said;
  return { ...(silence !== undefined && { default: silence }), ...(unsure !== undefined && { unsure }) };
}

/** Of all files the strictest counts, so a mode can only make it stricter, whichever it is. */
function stricterSandbox({ mode, network, categories, tools }: SandboxRules): SandboxRules {
  return {
    ...(mode !== undefined && { mode }),
    ...(network === false && { network }),
    ...(categories !== undefined && { categories }),
    ...(tools !== undefined && { tools }),
  };
}

/** Whoever decides on trust should see what would run. */
function shown({ command }: CommandHook): string {
  const line = typeof command === "string" ? command : JSON.stringify(command);
  return cut(line);
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Without arguments and paths: they may hold secrets. */
function whatItReaches(transport: UpstreamEntry["transport"]): string {
  if (transport.kind === "http") return URL.parse(transport.url)?.origin ?? "an address that is none";
  return cut(transport.command);
}

function whyNotRoute({ action, pattern, flags }: Route): string | undefined {
  if (action === "allow") return "it lets calls pass";
  // Rewriting chooses what runs: a stranger's file must not.
  if (action === "rewrite") return "it changes calls";
  return whyNotPattern(pattern, flags);
}

function whyNotPolicy(policy: Policy): string | undefined {
  if (policy.action === "approve") return "it approves calls";
  // It stops nothing, and every call would pay for it.
  if (policy.mode === "shadow") return "it is in shadow mode, which makes nothing stricter";
  return patternsOf(policy)
    .map((pattern) => whyNotPattern(pattern, undefined))
    .find((why) => why !== undefined);
}

/** An invalid pattern stays, so that its author is told. No pattern is built: there may be thousands. */
function whyNotPattern(pattern: string, flags: string | undefined): string | undefined {
  const objection = explainForeignPattern(pattern, flags);
  return objection && `its pattern is only taken from trusted files: ${objection}`;
}
