/** `toolgate install` and `toolgate uninstall`: their options and their help. */
import { Option } from "commander";
import { agentNames, firstAgent } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineInstall(program: CliCommand): void {
  program
    .command("install")
    .summary("install toolgate's hook into an agent")
    .description(
      "Adds toolgate's hook to an agent's settings, so that the agent asks toolgate before every tool call.",
    )
    .argument("<agent>", agentNames.join(", "))
    .addOption(scopeOption())
    .option("--dry-run", "Only report what would change.")
    .option("--force", "Install even if the plugin is installed.")
    .option("--no-fast", "Start a process for each call, also when `toolgate serve` runs.")
    .json()
    .examples(`toolgate install ${firstAgent.name} --scope project`)
    .runs(() => import("./install.ts"), "runInstall");
}

export function defineUninstall(program: CliCommand): void {
  program
    .command("uninstall")
    .summary("remove toolgate's hook from an agent")
    .description("Removes toolgate's hook from an agent's settings. Everything else in them stays as it is.")
    .argument("<agent>", agentNames.join(", "))
    .addOption(scopeOption())
    .option("--dry-run", "Only report what would change.")
    .json()
    .examples(`toolgate uninstall ${firstAgent.name} --scope project`)
    .runs(() => import("./uninstall.ts"), "runUninstall");
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose sessions.")
    .choices(["user", "project", "local"])
    .default("user");
}
