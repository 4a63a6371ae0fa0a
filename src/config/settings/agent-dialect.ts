/** Which shell reads an agent's command lines: the configuration says it, else the agent's environment. */
import type { ShellDialect } from "../../core/ports/command.ts";

export const dialects = ["auto", "bash", "zsh"] as const;

/** The strictest file wins: `zsh` asks about more, as a line must mean the same in bash. */
export function strictestDialect(
  said: readonly (ShellDialect | "auto" | undefined)[],
): ShellDialect | undefined {
  return (["zsh", "bash"] as const).find((one) => said.includes(one));
}

/** `shell`: what the agent's environment says. */
export function agentDialect(
  configured: ShellDialect | undefined,
  shell = "",
  platform: NodeJS.Platform = process.platform,
): ShellDialect {
  if (configured !== undefined) return configured;
  const name = shell.slice(shell.lastIndexOf("/") + 1);
  if (name.includes("zsh")) return "zsh";
  if (name.includes("bash")) return "bash";
  return platform === "darwin" ? "zsh" : "bash";
}
