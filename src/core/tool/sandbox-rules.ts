/** Who runs in a sandbox: what files and options say about tools, and what follows for one of them. */

export const sandboxModes = ["off", "preferred", "required"] as const;

/** `preferred`: where the machine has one. `required`: not without. */
export type SandboxMode = (typeof sandboxModes)[number];

export interface SandboxRules {
  /** For everything that starts programs. */
  readonly mode?: SandboxMode;
  /** Whether commands in a sandbox reach the network. Default false. Upstream servers always do. */
  readonly network?: boolean;
  /** By category (`shell`, `code`, `mcp` for upstream servers, a plugin's own), instead of `mode`. */
  readonly categories?: Readonly<Record<string, SandboxMode>>;
  /** By the id of a tool or the name of an upstream server, instead of its category. */
  readonly tools?: Readonly<Record<string, SandboxMode>>;
}

export interface SandboxChoice {
  readonly mode: SandboxMode;
  readonly network: boolean;
}

export interface SandboxedTool {
  readonly id: string;
  readonly category: string;
}

/** In one place the most specific word counts, among places the strictest: nobody undoes another's. */
export function chooseSandbox(
  places: readonly SandboxRules[],
  tool: SandboxedTool,
  otherwise: SandboxMode = "off",
): SandboxChoice {
  const said = places.flatMap((rules) => modeIn(rules, tool) ?? []);
  const network = places.flatMap((rules) => rules.network ?? []);
  return {
    mode: said.length === 0 ? otherwise : strictestSandbox(said),
    network: network.includes(true) && !network.includes(false),
  };
}

export function strictestSandbox(modes: readonly SandboxMode[]): SandboxMode {
  return sandboxModes.findLast((mode) => modes.includes(mode)) ?? "off";
}

function modeIn(
  { mode, categories, tools }: SandboxRules,
  { id, category }: SandboxedTool,
): SandboxMode | undefined {
  return own(tools, id) ?? own(categories, category) ?? mode;
}

function own(
  modes: Readonly<Record<string, SandboxMode>> | undefined,
  name: string,
): SandboxMode | undefined {
  return modes !== undefined && Object.hasOwn(modes, name) ? modes[name] : undefined;
}

/** What is wrong with rules written in code. A misspelt mode must not mean that there is no sandbox. */
export function explainBadSandbox(rules: unknown): string | undefined {
  if (typeof rules !== "object" || rules === null)
    return 'sandbox is an object such as { mode: "required" }.';
  const { mode, network, categories, tools, ...others } = rules as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) return `sandbox has no "${other}"; it has mode, network, categories and tools.`;
  if (network !== undefined && typeof network !== "boolean") return "sandbox.network is true or false.";
  const modes = [mode, ...[categories, tools].flatMap((one) => (one === undefined ? [] : valuesOf(one)))];
  const wrong = modes.find((one) => one !== undefined && !sandboxModes.includes(one as SandboxMode));
  return wrong === undefined
    ? undefined
    : `A sandbox is "off", "preferred" or "required", not ${JSON.stringify(wrong) ?? String(wrong)}.`;
}

function valuesOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [{ [String(value)]: "?" }];
}
