/** An MCP server as another program's configuration describes it, before anything is made of it. */

export interface ForeignServer {
  /** As that program calls it. */
  readonly name: string;
  readonly file: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envPass?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly timeoutMs?: number;
  readonly startTimeoutMs?: number;
  /** Tools that are not to be offered. */
  readonly disabledTools?: readonly string[];
  /** What is lost on the way, for a person. */
  readonly notes: readonly string[];
  /** Why it cannot be taken over. */
  readonly unusable?: string;
}

type Loose = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
