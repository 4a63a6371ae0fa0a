/** The commands that put toolgate between an agent and its tools: init, install, uninstall, doctor. */
import { type Command, Option } from "commander";
import { command, type Host, jsonOption } from "./define-command.ts";

export function defineInit(program: Command, { io, finish }: Host): void {
  command(program, "init")
    .summary("write a commented toolgate.yaml and offer to install hooks")
    .description(
      "Writes a commented toolgate.yaml into the current folder and trusts it, takes over an old tool-routes.json if there is one, and offers to install the hooks.",
    )
    .option("-y, --yes", "Answer every question with yes.")
    .option("--install <agent>", "Install the hooks into this agent, too: claude-code.")
    .option("--force", "Replace a toolgate.yaml that is there.")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate init && toolgate test\n")
    .action(async (options: { yes?: boolean; install?: string; force?: boolean; json?: boolean }) => {
      const { runInit } = await import("../commands/init.ts");
      finish(await runInit(options, io));
    });
}

export function defineInstall(program: Command, { io, finish }: Host): void {
  command(program, "install")
    .summary("put toolgate's hook into an agent")
    .description(
      "Puts toolgate's hook into an agent's settings, so that every tool call passes through the gate.",
    )
    .argument("<agent>", "claude-code")
    .addOption(scopeOption())
    .option("--dry-run", "Only say what would be changed.")
    .option("--force", "Even if the plugin is there already, or from a temporary copy of toolgate.")
    .option("--no-fast", "Start a process for each call, also when `toolgate serve` runs.")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate install claude-code --scope project\n")
    .action(async (agent: string, options: SetupOptions & { force?: boolean; fast?: boolean }) => {
      const { runInstall } = await import("../commands/install.ts");
      finish(await runInstall({ agent, ...options }, io));
    });
}

export function defineUninstall(program: Command, { io, finish }: Host): void {
  command(program, "uninstall")
    .summary("take toolgate's hook out of an agent")
    .description("Takes toolgate's hook out of an agent's settings. Everything else in them stays as it is.")
    .argument("<agent>", "claude-code")
    .addOption(scopeOption())
    .option("--dry-run", "Only say what would be changed.")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate uninstall claude-code --scope project\n")
    .action(async (agent: string, options: SetupOptions) => {
      const { runUninstall } = await import("../commands/uninstall.ts");
      finish(await runUninstall({ agent, ...options }, io));
    });
}

interface SetupOptions {
  readonly scope?: "user" | "project" | "local";
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function scopeOption(): Option {
  return new Option("--scope <scope>", "Whose sessions.")
    .choices(["user", "project", "local"])
    .default("user");
}

export function defineDoctor(program: Command, { io, finish }: Host): void {
  command(program, "doctor")
    .summary("look for reasons why the gate would not hold")
    .description(
      "Looks at the configuration and at the agents' settings for reasons why the gate would not hold. Exit 1 if there is one.",
    )
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate doctor\n")
    .action(async (options: { json?: boolean }) => {
      const { runDoctor } = await import("../commands/doctor/doctor.ts");
      finish(await runDoctor(options, io));
    });
}
