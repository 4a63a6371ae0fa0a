/** The commands about the files that hold the rules: config, trust, convert. */
import type { Command } from "commander";
import { command, configOption, type Host, jsonOption } from "./define-command.ts";

export function defineConfig(program: Command, { io, finish }: Host): void {
  const config = command(program, "config")
    .summary("show, validate or locate the configuration")
    .description("Shows what holds here, checks files, or says where files are looked for.")
    .addHelpText("after", "\nExample:\n  $ toolgate config validate toolgate.yaml\n  1 file is fine\n");
  command(config, "show")
    .summary("the merged configuration, each part with its origin")
    .description("Prints the merged configuration as one YAML file, each part with the file it came from.")
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options: { config?: string; json?: boolean }) => {
      const { runConfigShow } = await import("../commands/config.ts");
      finish(await runConfigShow(options, io));
    });
  command(config, "validate")
    .summary("check files; problems with file, line and column")
    .description(
      "Checks everything that holds here, or each of the given files by itself. Exit 1 on problems.",
    )
    .argument("[files...]", "only these files")
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (files: string[], options: { config?: string; json?: boolean }) => {
      const { runConfigValidate } = await import("../commands/config.ts");
      finish(await runConfigValidate({ files, ...options }, io));
    });
  command(config, "path")
    .summary("which files are looked for, in order, found or not")
    .description("Lists the files that are looked for, in order, and whether they are there.")
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options: { config?: string; json?: boolean }) => {
      const { runConfigPath } = await import("../commands/config.ts");
      finish(await runConfigPath(options, io));
    });
}

export function defineTrust(program: Command, { io, finish }: Host): void {
  command(program, "trust")
    .summary("let a project's files do more than narrow")
    .description(
      "A project's files can only make the gate stricter until you trust them. Shows what they would be allowed to do, then pins path and content: a changed file has to be trusted again.",
    )
    .argument("[targets...]", "files, or folders with project files; by default this project's")
    .option("--revoke", "Trust them no longer.")
    .option("--list", "List what is trusted.")
    .option("-y, --yes", "Do not ask.")
    .addOption(jsonOption())
    .addHelpText("after", "\nExamples:\n  $ toolgate trust\n  $ toolgate trust --revoke .\n")
    .action(
      async (
        targets: string[],
        options: { revoke?: boolean; list?: boolean; yes?: boolean; json?: boolean },
      ) => {
        const { runTrust } = await import("../commands/trust/trust.ts");
        finish(await runTrust({ targets, ...options }, io));
      },
    );
}

export function defineConvert(program: Command, { io, finish }: Host): void {
  command(program, "convert")
    .summary("turn an old tool-routes.json into YAML")
    .description("Writes the routes of an old tool-routes.json as YAML, to standard output or into a file.")
    .argument("<file>", "the JSON file")
    .option("-o, --out <file>", "Write there instead.")
    .option("--force", "Replace that file if it is there.")
    .addHelpText(
      "after",
      "\nExample:\n  $ toolgate convert tool-routes.json --out .claude/tool-routes.yaml\n",
    )
    .action(async (file: string, options: { out?: string; force?: boolean }) => {
      const { runConvert } = await import("../commands/convert.ts");
      finish(await runConvert({ file, ...options }, io));
    });
}
