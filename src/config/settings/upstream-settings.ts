/** What files say about upstream MCP servers, as it is written: `${NAME}` still stands where it stood. */
import type { RuleSource } from "../../core/call/errors.ts";
import type { RouteTier } from "../../rules/tiers.ts";
import type { SettingsOf } from "./read-section.ts";
import type { upstreamShape } from "./upstream-shape.ts";

type Said = SettingsOf<typeof upstreamShape>;
type Settled<Keys extends keyof Said> = Required<Pick<Said, Keys>>;

export interface UpstreamEntry
  extends Settled<"enabled" | "tools" | "trustAnnotations" | "review" | "era">,
    Pick<Said, "permission" | "timeoutMs" | "startTimeoutMs" | "maxConcurrent"> {
  readonly name: string;
  readonly transport: StdioEntry | HttpEntry;
  /** Where it is written. */
  readonly source: RuleSource;
}

export interface StdioEntry
  extends Settled<"command" | "args" | "env" | "envPass" | "sandbox">,
    Pick<Said, "cwd"> {
  readonly kind: "stdio";
}

export interface HttpEntry extends Settled<"url" | "headers">, Pick<Said, "oauth"> {
  readonly kind: "http";
}

/** With the tier of the file that names it. */
export interface PlacedUpstream extends UpstreamEntry {
  readonly tier: RouteTier;
}

/** For a section whose shape was checked. */
export function toUpstreams(
  section: Readonly<Record<string, Said>>,
  placeOf: (name: string) => RuleSource,
): UpstreamEntry[] {
  return Object.entries(section).map(([name, said]) => toEntry(name, said, placeOf(name)));
}

function toEntry(name: string, said: Said, source: RuleSource): UpstreamEntry {
  const { command = "", args = [], env = {}, envPass = [], cwd, sandbox = "off", ...others } = said;
  const { url, headers = {}, oauth, ...settings } = others;
  const transport: UpstreamEntry["transport"] =
    url === undefined
      ? { kind: "stdio", command, args, env, envPass, sandbox, ...(cwd !== undefined && { cwd }) }
      : { kind: "http", url, headers, ...(oauth && { oauth }) };
  const otherwise = {
    enabled: true,
    tools: {},
    trustAnnotations: false,
    review: false,
    era: "auto",
  } as const;
  return { ...otherwise, ...settings, name, source, transport };
}
