/** The commands about toolgate's own tools: tools, demo. */
import { type Command, Option } from "commander";
import type { ToolsCallOptions } from "../commands/tools/tools-call.ts";
import type { ToolsListOptions } from "../commands/tools/tools-list.ts";
import type { ToolsNewOptions } from "../commands/tools/tools-new.ts";
import type { ToolsShowOptions } from "../commands/tools/tools-show.ts";
import {
  command,
  configOption,
  disableToolsOption,
  enableCategoriesOption,
  enableToolsOption,
  type Host,
  jsonOption,
} from "./define-command.ts";

export function defineTools(program: Command, { io, finish }: Host): void {
  const tools = command(program, "tools")
    .summary("list, show and call toolgate's own tools; make and check plugins")
    .description(
      "Lists the built-in tools and those of plugins, shows one of them, or calls it through the gate. Makes, checks and loads plugin files.",
    )
    .addHelpText("after", toolsExamples);
  withToolOptions(
    command(tools, "list")
      .summary("the tools that can be called here")
      .description("Lists the tools that can be called here, by category.")
      .option("-a, --all", "Those that cannot be called, too, and why not.")
      .option("--category <name>", "Only this category.")
      .addOption(modeOption()),
  ).action(async (options: ToolsListOptions) => {
    const { runToolsList } = await import("../commands/tools/tools-list.ts");
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
    const { runToolsShow } = await import("../commands/tools/tools-show.ts");
    finish(await runToolsShow({ name, ...options }, io));
  });
  withToolOptions(
    command(tools, "call")
      .summary("call a tool through the gate")
      .description(
        "Calls one tool through the gate: routes, policies, limits and approval apply. Where a rule asks, you are asked on a terminal, and others can answer by toolgate approvals; elsewhere the call is refused, or waits with --wait. Exit 1 if it is refused or fails.",
      )
      .argument("<name>", "fs.read, fs_read, Read, ...")
      .argument("[input]", "the input as JSON, or - to read it from standard input; by default {}")
      .option("-y, --yes", "Approve the call if a rule asks.")
      .option("--wait <duration>", "Wait so long for an answer from another terminal: 90s, 5m, 1h.")
      .addOption(modeOption()),
  )
    .addHelpText("after", callExamples)
    .action(async (name: string, input: string | undefined, options: Omit<ToolsCallOptions, "name">) => {
      const { runToolsCall } = await import("../commands/tools/tools-call.ts");
      finish(await runToolsCall({ name, input, ...options }, io));
    });
  definePluginCommands(tools, { io, finish });
}

function definePluginCommands(tools: Command, { io, finish }: Host): void {
  command(tools, "new")
    .summary("write a plugin file to start from")
    .description(
      "Writes a plugin file with one tool that works and has tests, into your own folder of plugins or another one. Then change it.",
    )
    .argument("[name]", "the tool's name; by default my-tool")
    .addOption(
      new Option("--type <type>", "What a call does.")
        .choices(["shell", "http", "file-read"])
        .default("shell"),
    )
    .option("--dir <folder>", "Put it there instead.")
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", newExamples)
    .action(async (name: string | undefined, options: Omit<ToolsNewOptions, "name">) => {
      const { runToolsNew } = await import("../commands/tools/tools-new.ts");
      finish(await runToolsNew({ name, ...options }, io));
    });
  command(tools, "validate")
    .summary("check plugin files; every error with file, line and column")
    .description(
      "Loads plugin files beside the built-in tools and says everything that is wrong with them. Nothing runs. Exit 1 on errors.",
    )
    .argument("<files...>", "plugin files")
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate tools validate my-tool.json\n  1 file is fine: 1 tool\n")
    .action(async (files: string[], options: { config?: string; json?: boolean }) => {
      const { runToolsValidate } = await import("../commands/tools/tools-validate.ts");
      finish(await runToolsValidate({ files, ...options }, io));
    });
  command(tools, "reload")
    .summary("load the plugin files of all folders anew")
    .description(
      "Loads the plugin files of all folders and says what came of it. Exit 1 if a file or a tool is wrong.",
    )
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  $ toolgate tools reload --json\n")
    .action(async (options: { config?: string; json?: boolean }) => {
      const { runToolsReload } = await import("../commands/tools/tools-reload.ts");
      finish(await runToolsReload(options, io));
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
    .addOption(enableToolsOption())
    .addOption(disableToolsOption())
    .addOption(enableCategoriesOption())
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
  $ toolgate tools new count-lines
`;

const newExamples = `
Examples:
  $ toolgate tools new count-lines
  $ toolgate tools new lookup --type http --dir .toolgate/tools
`;

const callExamples = `
Examples:
  $ toolgate tools call search.grep '{"pattern":"TODO"}'
  $ echo '{"path":"notes.txt","content":"hello"}' | toolgate tools call fs.write - --enable-tool-categories editing --yes
`;
