/** The commands about toolgate's own tools: tools, demo. */
import { type Command, Option } from "commander";
import type { ToolsCallOptions } from "../commands/tools-call.ts";
import type { ToolsListOptions } from "../commands/tools-list.ts";
import type { ToolsShowOptions } from "../commands/tools-show.ts";
import { command, configOption, type Host, jsonOption } from "./define-command.ts";

export function defineTools(program: Command, { io, finish }: Host): void {
  const tools = command(program, "tools")
    .summary("list, show and call toolgate's own tools")
    .description("Lists the built-in tools, shows one of them, or calls it through the gate.")
    .addHelpText("after", toolsExamples);
  withToolOptions(
    command(tools, "list")
      .summary("the tools that can be called here")
      .description("Lists the tools that can be called here, by category.")
      .option("-a, --all", "Those that cannot be called, too, and why not.")
      .option("--category <name>", "Only this category.")
      .addOption(modeOption()),
  ).action(async (options: ToolsListOptions) => {
    const { runToolsList } = await import("../commands/tools-list.ts");
    finish(await runToolsList(options, io));
  });
  withToolOptions(
    command(tools, "show")
      .summary("one tool: what it does, what it takes, whether it can be called")
      .description(
        "Shows one tool, found by its id, by its name on the wire or by what other agents call it: what it does, its parameters, its other names, and whether it can be called here.",
      )
      .argument("<name>", "fs.read, fs_read, Read, ..."),
  ).action(async (name: string, options: Omit<ToolsShowOptions, "name">) => {
    const { runToolsShow } = await import("../commands/tools-show.ts");
    finish(await runToolsShow({ name, ...options }, io));
  });
  withToolOptions(
    command(tools, "call")
      .summary("call a tool through the gate")
      .description(
        "Calls one tool through the gate: routes, policies, limits and approval apply. Where a rule asks, you are asked on a terminal; elsewhere the call is refused. Exit 1 if it is refused or fails.",
      )
      .argument("<name>", "fs.read, fs_read, Read, ...")
      .argument("[input]", "the input as JSON, or - to read it from standard input; by default {}")
      .option("-y, --yes", "Approve the call if a rule asks.")
      .addOption(modeOption()),
  )
    .addHelpText("after", callExamples)
    .action(async (name: string, input: string | undefined, options: Omit<ToolsCallOptions, "name">) => {
      const { runToolsCall } = await import("../commands/tools-call.ts");
      finish(await runToolsCall({ name, input, ...options }, io));
    });
}

export function defineDemo(program: Command, { io, finish }: Host): void {
  const demo = command(program, "demo")
    .summary("data to try tools with")
    .description("Makes data to try tools with.");
  command(demo, "support")
    .summary("users, tenants and tickets for the support tools")
    .description(
      "Puts a few users, tenants and tickets into the database of the support tools. What is there stays as it is.",
    )
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { runDemoSupport } = await import("../commands/demo.ts");
      finish(await runDemoSupport(options, io));
    });
}

export function withToolOptions(one: Command): Command {
  return one
    .option("--enable-tools", "Every tool, whatever it may do; the rules still decide on each call.")
    .option("--no-enable-tools", "Only what is on by default, whatever the configuration switches on.")
    .option(
      "--enable-tool-categories <names>",
      "These categories as well, with commas between them; development: editing, shell and git.",
    )
    .addOption(configOption())
    .addOption(jsonOption());
}

function modeOption(): Option {
  return new Option("--mode <mode>", "plan: reading only.").choices(["act", "plan"]).default("act");
}

const toolsExamples = `
Examples:
  $ toolgate tools list --all
  $ toolgate tools show Read
  $ toolgate tools call fs.read '{"path":"README.md","limit":20}'
`;

const callExamples = `
Examples:
  $ toolgate tools call search.grep '{"pattern":"TODO"}'
  $ echo '{"path":"notes.txt","content":"hello"}' | toolgate tools call fs.write - --enable-tool-categories editing --yes
`;
