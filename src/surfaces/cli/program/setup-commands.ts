/** The commands that put toolgate between an agent and its tools: init, install, uninstall. */
import { Option } from "commander";
import { agentNames, firstAgent } from "../../../agents/all-agents.ts";
import type { CliCommand } from "./define-command.ts";

export function defineInit(program: CliCommand): void {
  program
    .command("init")
    .summary("write a commented toolgate.yaml and offer to install hooks")
    .description(
      "Writes a commented toolgate.yaml into the current folder and trusts it, takes over an old tool-routes.json if there is one, and offers to install the hooks.",
    )
    .option("-y, --yes", "Answer every question with yes.")
    .option("--install <agent>", `Install the hooks into this agent, too: ${agentNames.join(", ")}.`)
    .option("--force", "Replace a toolgate.yaml that is there.")
    .json()
    .examples("toolgate init && toolgate test")
    .runs(() => import("../commands/init.ts"), "runInit");
}

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
    .runs(() => import("../commands/install.ts"), "runInstall");
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
    .runs(() => import("../commands/uninstall.ts"), "runUninstall");
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose sessions.")
    .choices(["user", "project", "local"])
    .default("user");
}
