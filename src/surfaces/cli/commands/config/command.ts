/** `toolgate config`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineConfig(program: CliCommand): void {
  const config = program
    .command("config")
    .summary("show, validate or locate the configuration")
    .description("Shows what holds here, checks files, or says where files are looked for.")
    .addHelpText("after", "\nExample:\n  $ toolgate config validate toolgate.yaml\n  1 file is fine\n");
  config
    .command("show")
    .summary("show the merged configuration, each part with its file")
    .description("Prints the merged configuration as one YAML file, each part with the file it came from.")
    .configAndJson()
    .examples("toolgate config show")
    .runs(() => import("./config.ts"), "runConfigShow");
  config
    .command("validate")
    .summary("check files, and report problems with line and column")
    .description(
      "Checks everything that holds here, or each of the given files by itself. Exit 1 on problems.",
    )
    .argument("[files...]", "only these files")
    .configAndJson()
    .examples("toolgate config validate", "toolgate config validate toolgate.yaml")
    .runs(() => import("./config.ts"), "runConfigValidate");
  config
    .command("path")
    .summary("list the files that are looked for, and whether they exist")
    .description("Lists the files that are looked for, in order, and whether they exist.")
    .configAndJson()
    .examples("toolgate config path")
    .runs(() => import("./config.ts"), "runConfigPath");
}
