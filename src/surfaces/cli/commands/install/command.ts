/** `toolgate install` and `toolgate uninstall`: their options and their help. */
import { Option } from "commander";
import { agentNames, firstAgent } from "../../../../agents/all-agents.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineInstall(program: CliCommand): void {
  program
    .command("install")
    .summary("install toolgate's hook into agents")
    .description(
      "Adds toolgate's hook to the settings of agents, so that they ask toolgate before every tool call. Shows what it will write. Without a name it asks which agents.",
    )
    .argument("[agents...]", agentNames.join(", "))
    .option("--all", "Every agent that is found on this machine.")
    .addOption(scopeOption())
    .option("-y, --yes", "Write without asking.")
    .option(
      "--trust",
      "Also approve the hooks in agents that start only approved ones. Without it a person is asked.",
    )
    .option(
      "--mcp",
      "Also put the agents' MCP servers behind the gate: they become upstreams, and toolgate takes their place.",
    )
    .option("--dry-run", "Only report what would change.")
    .option("--force", "Install even if the plugin is installed.")
    .option("--no-fast", "Start a process for each call, also when `toolgate serve` runs.")
    .json()
    .examples(
      "toolgate install --all",
      `toolgate install ${firstAgent.name} --scope project`,
      `toolgate install ${firstAgent.name} --mcp --dry-run`,
    )
    .runs(() => import("./install.ts"), "runInstall");
}

export function defineUninstall(program: CliCommand): void {
  program
    .command("uninstall")
    .summary("remove toolgate's hook from agents")
    .description(
      "Removes toolgate's hook from the settings of agents. Everything else in them stays as it is.",
    )
    .argument("[agents...]", agentNames.join(", "))
    .option("--all", "Every agent into which it is installed.")
    .addOption(scopeOption())
    .option("--dry-run", "Only report what would change.")
    .json()
    .examples("toolgate uninstall --all", `toolgate uninstall ${firstAgent.name} --scope project`)
    .runs(() => import("./uninstall.ts"), "runUninstall");
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose sessions.")
    .choices(["user", "project", "local"])
    .default("user");
}
