/** `toolgate console`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineConsole(program: CliCommand): void {
  program
    .command("console")
    .summary("open the web console of the running server")
    .description(
      "Opens the console of the running server in the browser, by a link that is good for one login within a minute. The console may read and approve; tokens list shows it, and tokens revoke ends it.",
    )
    .option("--admin", "The console may also call tools, and administer.")
    .option("--print", "Print the link instead of opening it.")
    .json()
    .examples("toolgate console", "toolgate console --admin", "toolgate console --print")
    .runs(() => import("./console.ts"), "runConsole");
}
