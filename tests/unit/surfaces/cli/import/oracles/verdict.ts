/** How strict a program is about a call, by its own rules. `none`: no rule of the person speaks. */
export type OwnVerdict = "allow" | "none" | "ask" | "deny";

export const strictness: Readonly<Record<OwnVerdict | "abstain", number>> = {
  allow: 0,
  none: 1,
  abstain: 1,
  ask: 2,
  deny: 3,
};

export function strictest(verdicts: readonly OwnVerdict[]): OwnVerdict {
  return verdicts.reduce((a, b) => (strictness[b] > strictness[a] ? b : a), "allow");
}

export function mildest(verdicts: readonly OwnVerdict[]): OwnVerdict {
  return verdicts.reduce((a, b) => (strictness[b] < strictness[a] ? b : a), "deny");
}

export interface OwnCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface OracleWorld {
  readonly root: string;
  readonly home: string;
}
