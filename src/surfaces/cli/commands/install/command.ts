/** `toolgate install` and `toolgate uninstall`: their options and their help. */
import { Option } from "commander";
import { agentNames, firstAgent } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineInstall(program: CliCommand): void {
  program
    .command("install")
    .summary("put toolgate's hook into an agent")
    .description(
      "Puts toolgate's hook into an agent's settings, so that every tool call passes through the gate.",
    )
    .argument("<agent>", agentNames.join(", "))
    .addOption(scopeOption())
    .option("--dry-run", "Only say what would be changed.")
    .option("--force", "Even if the plugin is there already, or from a temporary copy of toolgate.")
    .option("--no-fast", "Start a process for each call, also when `toolgate serve` runs.")
    .json()
    .examples(`toolgate install ${firstAgent.name} --scope project`)
    .runs(() => import("./install.ts"), "runInstall");
}

export function defineUninstall(program: CliCommand): void {
  program
    .command("uninstall")
    .summary("take toolgate's hook out of an agent")
    .description("Takes toolgate's hook out of an agent's settings. Everything else in them stays as it is.")
    .argument("<agent>", agentNames.join(", "))
    .addOption(scopeOption())
    .option("--dry-run", "Only say what would be changed.")
    .json()
    .examples(`toolgate uninstall ${firstAgent.name} --scope project`)
    .runs(() => import("./uninstall.ts"), "runUninstall");
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose sessions.")
    .choices(["user", "project", "local"])
    .default("user");
}
