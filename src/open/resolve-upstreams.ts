/** Upstream servers with their variables filled in: one that lacks a variable is not used, and says so. */
import { createHash } from "node:crypto";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { explainBadUrl } from "../config/file/check-upstreams.ts";
import type { Environment } from "../config/folders.ts";
import type { HttpEntry, PlacedUpstream, StdioEntry } from "../config/settings/upstream-settings.ts";
import { fillIn } from "../config/settings/variables.ts";
import { fingerprint } from "../core/input/fingerprint.ts";
import { chooseSandbox, strictestSandbox } from "../core/tool/sandbox-rules.ts";
import type { HttpSettings, StdioSettings, UpstreamSettings } from "../sources/upstream/talk/connection.ts";
import type { UpstreamSpec } from "../sources/upstream/upstream-spec.ts";
import type { OpenConfig } from "./open-config.ts";

export type UpstreamConfig = Pick<OpenConfig, "settings" | "projectDir" | "folders">;

export function resolveUpstreams(config: UpstreamConfig, env: Environment): UpstreamSpec[] {
  return (config.settings.upstreams ?? []).map((entry) => resolveOne(entry, config, env));
}

/** The user's and the administrator's servers are the same in every folder; a project's are its own. */
export function pinKey({ name, tier, source }: PlacedUpstream): string {
  if (tier !== "project") return name;
  return `${name}.${createHash("sha256").update(source.file).digest("hex").slice(0, 12)}`;
}

function resolveOne(entry: PlacedUpstream, config: UpstreamConfig, env: Environment): UpstreamSpec {
  const { name, transport, enabled, permission, tools, trustAnnotations, review } = entry;
  const filled = new Filling(env);
  const resolved =
    transport.kind === "stdio"
      ? resolveStdio(transport, entry, config, filled)
      : resolveHttp(transport, filled);
  const problem =
    filled.problem() ?? (resolved.kind === "http" ? prefixed("url", explainBadUrl(resolved.url)) : undefined);
  return {
    name,
    key: pinKey(entry),
    transport: transport.kind,
    enabled,
    settings: problem === undefined ? settingsOf(entry, resolved) : undefined,
    ...(problem !== undefined && { problem }),
    permission,
    tools,
    trustAnnotations,
    review,
    // As it is written: with names instead of values there is no secret in it.
    identity: fingerprint({ ...transport }),
  };
}

function settingsOf(
  { name, era, timeoutMs, startTimeoutMs, maxConcurrent }: PlacedUpstream,
  transport: UpstreamSettings["transport"],
): UpstreamSettings {
  return {
    name,
    transport,
    era,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
  };
}

function resolveStdio(
  { command, args, env, envPass, cwd, sandbox }: StdioEntry,
  { source, name }: PlacedUpstream,
  { projectDir, folders, settings }: UpstreamConfig,
  filled: Filling,
): StdioSettings {
  const fromHome = (path: string) => (/^~(?=\/|$)/.test(path) ? join(folders.home, path.slice(1)) : path);
  const program = fromHome(filled.text(command));
  const base = dirname(source.file);
  return {
    kind: "stdio",
    // A name is looked for in PATH; a path is one from the file that says it.
    command: program.includes("/") && !isAbsolute(program) ? resolve(base, program) : program,
    args: args.map((argument) => filled.text(argument)),
    cwd: cwd === undefined ? projectDir : resolve(base, fromHome(filled.text(cwd))),
    env: filled.values(env),
    envPass,
    sandbox: strictestSandbox([
      sandbox,
      chooseSandbox(settings.sandbox ?? [], { id: name, category: "mcp" }).mode,
    ]),
  };
}

function resolveHttp({ url, headers, oauth }: HttpEntry, filled: Filling): HttpSettings {
  return {
    kind: "http",
    url: filled.text(url),
    headers: filled.values(headers),
    ...(oauth && {
      oauth: {
        tokenUrl: filled.text(oauth.tokenUrl),
        clientId: filled.text(oauth.clientId),
        clientSecret: filled.text(oauth.clientSecret),
        ...(oauth.scope !== undefined && { scope: filled.text(oauth.scope) }),
      },
    }),
  };
}

/** Fills in one text after another and remembers what is missing. */
class Filling {
  readonly #env: Environment;
  readonly #missing = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  text(text: string): string {
    const filled = fillIn(text, this.#env);
    if (filled.ok) return filled.text;
    for (const name of filled.missing) this.#missing.add(name);
    return "";
  }

  values(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.text(value)]));
  }

  problem(): string | undefined {
    const names = [...this.#missing];
    if (names.length === 0) return undefined;
    const what = names.length === 1 ? "the environment variable" : "the environment variables";
    return `${what} ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not set, and its settings need ${names.length === 1 ? "it" : "them"}.`;
  }
}

function prefixed(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what} ${problem}`;
}
