/** `toolgate convert`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineConvert(program: CliCommand): void {
  program
    .command("convert")
    .summary("convert an old tool-routes.json to YAML")
    .description("Writes the routes of an old tool-routes.json as YAML, to standard output or into a file.")
    .argument("<file>", "the JSON file")
    .outFile("Write there instead.")
    .option("--force", "Replace that file if it is there.")
    .examples("toolgate convert tool-routes.json --out .claude/tool-routes.yaml")
    .runs(() => import("./convert.ts"), "runConvert");
}
