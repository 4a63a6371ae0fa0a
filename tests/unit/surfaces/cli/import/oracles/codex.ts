/** Codex's own matching, written from the documentation of its rules: of all that match, the strictest. */
import { inWords, splitLine } from "./split-line.ts";
import { type OwnCall, type OwnVerdict, strictest } from "./verdict.ts";

export interface CodexRule {
  readonly pattern: readonly (string | readonly string[])[];
  readonly decision?: "allow" | "prompt" | "forbidden";
}

export function codexVerdict(rules: readonly CodexRule[], neverAsks: boolean, call: OwnCall): OwnVerdict {
  if (call.tool !== "Bash") return "none";
  const line = String(call.input.command);
  const { commands, redirects, complex, broken } = splitLine(line);
  // Only plain commands are looked at one by one; else the whole is one command of a shell.
  if (redirects || complex || broken) return decide(rules, neverAsks, ["bash", "-lc", line]) ?? "none";
  const verdicts = commands.map((command) => decide(rules, neverAsks, inWords(command).split(" ")));
  const found = strictest(verdicts.map((one) => one ?? "none"));
  return commands.length === 0 ? "none" : found;
}

function decide(
  rules: readonly CodexRule[],
  neverAsks: boolean,
  words: readonly string[],
): OwnVerdict | undefined {
  const matching = rules.filter(({ pattern }) =>
    pattern.every((token, index) => [token].flat().includes(words[index] ?? "\0")),
  );
  if (matching.length === 0) return undefined;
  return strictest(
    matching.map(({ decision = "allow" }) => {
      if (decision === "forbidden") return "deny";
      if (decision === "prompt") return neverAsks ? "deny" : "ask";
      return "allow";
    }),
  );
}
