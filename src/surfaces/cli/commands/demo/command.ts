/** `toolgate demo`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineDemo(program: CliCommand): void {
  const demo = program
    .command("demo")
    .summary("data to try tools with")
    .description("Makes data to try tools with.");
  demo
    .command("support")
    .summary("users, tenants and tickets for the support tools")
    .description(
      "Puts a few users, tenants and tickets into the database of the support tools. What is there stays as it is.",
    )
    .json()
    .runs(() => import("./demo.ts"), "runDemoSupport");
}
