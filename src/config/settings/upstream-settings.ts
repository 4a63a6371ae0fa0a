/** What the configuration says about upstream MCP servers, as it is written: `${NAME}` still stands where it stood. */
import type { JsonObject } from "../../core/input/json.ts";
import type { Permission } from "../../core/tool/permission.ts";
import type { RouteTier } from "../../rules/tiers.ts";

export interface UpstreamEntry {
  readonly name: string;
  readonly transport: StdioEntry | HttpEntry;
  readonly enabled: boolean;
  readonly permission?: Permission;
  readonly tools: Readonly<Record<string, ToolEntry>>;
  readonly trustAnnotations: boolean;
  /** Nothing is trusted at first sight. */
  readonly review: boolean;
  readonly timeoutMs?: number;
  readonly startTimeoutMs?: number;
  readonly maxConcurrent?: number;
  readonly era: "auto" | "legacy" | "modern";
  /** Where it is written. */
  readonly source: { readonly file: string; readonly line?: number; readonly column?: number };
}

export interface StdioEntry {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envPass: readonly string[];
  readonly cwd?: string;
  readonly sandbox: "off" | "preferred" | "required";
}

export interface HttpEntry {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: {
    readonly tokenUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly scope?: string;
  };
}

export interface ToolEntry {
  readonly permission?: Permission;
  readonly enabled?: boolean;
}

/** With the tier of the file that names it. */
export interface PlacedUpstream extends UpstreamEntry {
  readonly tier: RouteTier;
}

/** For a section whose shape was checked. */
export function toUpstreams(
  section: JsonObject,
  placeOf: (name: string) => UpstreamEntry["source"],
): UpstreamEntry[] {
  return Object.entries(section).map(([name, written]) =>
    toEntry(name, written as JsonObject, placeOf(name)),
  );
}

function toEntry(name: string, written: JsonObject, source: UpstreamEntry["source"]): UpstreamEntry {
  // As the schema has checked it.
  const said = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== null)) as Written;
  return {
    name,
    source,
    transport: said.url === undefined ? toStdio(said) : toHttp(said, said.url),
    enabled: said.enabled ?? true,
    tools: said.tools ?? {},
    trustAnnotations: said.trust_annotations ?? false,
    review: said.review ?? false,
    era: said.era ?? "auto",
    ...(said.permission !== undefined && { permission: said.permission }),
    ...(said.timeout_ms !== undefined && { timeoutMs: said.timeout_ms }),
    ...(said.start_timeout_ms !== undefined && { startTimeoutMs: said.start_timeout_ms }),
    ...(said.max_concurrent !== undefined && { maxConcurrent: said.max_concurrent }),
  };
}

function toStdio({ command = "", args = [], env = {}, env_pass, cwd, sandbox }: Written): StdioEntry {
  return {
    kind: "stdio",
    command,
    args,
    env,
    envPass: env_pass ?? [],
    sandbox: sandbox ?? "off",
    ...(cwd !== undefined && { cwd }),
  };
}

function toHttp({ headers = {}, oauth }: Written, url: string): HttpEntry {
  const asked = oauth && {
    tokenUrl: oauth.token_url,
    clientId: oauth.client_id,
    clientSecret: oauth.client_secret,
    ...(oauth.scope !== undefined && { scope: oauth.scope }),
  };
  return { kind: "http", url, headers, ...(asked && { oauth: asked }) };
}

interface Written {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly env_pass?: readonly string[];
  readonly cwd?: string;
  readonly sandbox?: StdioEntry["sandbox"];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: {
    readonly token_url: string;
    readonly client_id: string;
    readonly client_secret: string;
    readonly scope?: string;
  };
  readonly enabled?: boolean;
  readonly permission?: Permission;
  readonly tools?: Readonly<Record<string, ToolEntry>>;
  readonly trust_annotations?: boolean;
  readonly review?: boolean;
  readonly timeout_ms?: number;
  readonly start_timeout_ms?: number;
  readonly max_concurrent?: number;
  readonly era?: UpstreamEntry["era"];
}
