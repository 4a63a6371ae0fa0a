/** An MCP server as another program's configuration describes it, before anything is made of it. */
import { isRecord } from "../../core/input/json.ts";

export interface ForeignServer {
  /** As that program calls it. */
  readonly name: string;
  readonly file: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly envPass?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly disabled?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly startTimeoutMs?: number | undefined;
  /** Tools that are not to be offered. */
  readonly disabledTools?: readonly string[] | undefined;
  /** What is lost on the way, for a person. */
  readonly notes: readonly string[];
  /** Why it cannot be taken over. */
  readonly unusable?: string;
}

type Loose = Readonly<Record<string, unknown>>;

/** Throws where something else stands in the place of the servers; nothing there is no mistake. */
export function serversOf(value: unknown, key: string): Loose {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw new Error(`${key} is not a mapping of names to servers`);
  return value;
}

/** Why what it says cannot be meant; half of it taken over would be another server. */
export function explainMisshapen(server: Loose, mappings: readonly string[]): string | undefined {
  const { args } = server;
  // An empty list is how some programs write an empty mapping.
  const isSaid = (value: unknown) => value !== undefined && value !== null && !isEmptyList(value);
  if (isSaid(args) && !Array.isArray(args)) return "its args are not a list";
  if (Array.isArray(args) && textsOf(args)?.length !== args.length) return "one of its args is not text";
  const wrong = mappings.find((key) => isSaid(server[key]) && !isRecord(server[key]));
  return wrong === undefined ? undefined : `its ${wrong} is not a mapping`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((one) => ["string", "number", "boolean"].includes(typeof one)).map(String);
}

export function textMapOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  const texts = Object.entries(value).filter(([, one]) =>
    ["string", "number", "boolean"].includes(typeof one),
  );
  return Object.fromEntries(texts.map(([name, one]) => [name, String(one)]));
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
