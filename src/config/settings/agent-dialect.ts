/** Which shell reads the command lines that an agent runs itself: said by the configuration, else by the agent's environment. */
import type { ShellDialect } from "../../core/ports/command.ts";

export const dialects = ["auto", "bash", "zsh"] as const;

/** The strictest file wins: a line for zsh must mean the same in bash, so `zsh` asks about more. Undefined: the environment says it. */
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
  if (/zsh[^/]*$/.test(shell)) return "zsh";
  if (/bash[^/]*$/.test(shell)) return "bash";
  return platform === "darwin" ? "zsh" : "bash";
}
