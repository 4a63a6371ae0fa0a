/** `toolgate demo`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineDemo(program: CliCommand): void {
  const demo = program
    .command("demo")
    .summary("create data to try tools with")
    .description("Makes data to try tools with.");
  demo
    .command("support")
    .summary("create users, tenants and tickets for the support tools")
    .description(
      "Adds a few users, tenants and tickets to the database of the support tools. Existing ones stay as they are.",
    )
    .json()
    .examples("toolgate demo support")
    .runs(() => import("./demo.ts"), "runDemoSupport");
}
