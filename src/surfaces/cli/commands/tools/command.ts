/** `toolgate tools`: its options and its help. */
import { Option } from "commander";
import type { CliCommand } from "../../program/define-command.ts";

export function defineTools(program: CliCommand): void {
  const tools = program
    .command("tools")
    .summary("list, show and call toolgate's own tools; make and check plugins")
    .description(
      "Lists the built-in tools and those of plugins, shows one of them, or calls it through the gate. Makes, checks and loads plugin files.",
    )
    .examples(
      "toolgate tools list --all",
      "toolgate tools show Read",
      `toolgate tools call fs.read '{"path":"README.md","limit":20}'`,
      "toolgate tools new count-lines",
    );
  tools
    .command("list")
    .summary("list the tools that can be called here")
    .description("Lists the tools that can be called here, by category.")
    .option("-a, --all", "Also list tools that cannot be called, and why not.")
    .option("--category <name>", "Only this category.")
    .addOption(modeOption())
    .enabling()
    .configAndJson()
    .examples("toolgate tools list --all --category git")
    .runs(() => import("./tools-list.ts"), "runToolsList");
  tools
    .command("show")
    .summary("show one tool: its purpose, its parameters, whether it can be called")
    .description(
      "Shows one tool, found by its id, by its name on the wire or by what other agents call it: what it does, its parameters, its other names, and whether it can be called here.",
    )
    .argument("<name>", "fs.read, fs_read, Read, ...")
    .enabling()
    .configAndJson()
    .examples("toolgate tools show fs.read")
    .runs(() => import("./tools-show.ts"), "runToolsShow");
  tools
    .command("call")
    .summary("call a tool through the gate")
    .description(
      "Calls one tool through the gate: routes, policies, limits and approval apply. If a rule asks, you are asked on a terminal, and others can answer with toolgate approvals. Without a terminal the call is refused, or waits with --wait. Exit 1 if it is refused or fails.",
    )
    .argument("<name>", "fs.read, fs_read, Read, ...")
    .argument("[input]", "the input as JSON, or - to read it from standard input; by default {}")
    .option("-y, --yes", "Approve the call if a rule asks.")
    .option("--wait <duration>", "Wait this long for an answer from another terminal: 90s, 5m, 1h.")
    .addOption(modeOption())
    .enabling()
    .configAndJson()
    .examples(
      `toolgate tools call search.grep '{"pattern":"TODO"}'`,
      `echo '{"path":"notes.txt","content":"hello"}' | toolgate tools call fs.write - --enable-tool-categories editing --yes`,
    )
    .runs(() => import("./tools-call.ts"), "runToolsCall");
  definePluginCommands(tools);
}

function definePluginCommands(tools: CliCommand): void {
  tools
    .command("new")
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
    .configAndJson()
    .examples("toolgate tools new count-lines", "toolgate tools new lookup --type http --dir .toolgate/tools")
    .runs(() => import("./tools-new.ts"), "runToolsNew");
  tools
    .command("validate")
    .summary("check plugin files, and report errors with line and column")
    .description(
      "Loads plugin files beside the built-in tools and reports everything that is wrong with them. Nothing runs. Exit 1 on errors.",
    )
    .argument("<files...>", "plugin files")
    .configAndJson()
    .addHelpText("after", "\nExample:\n  $ toolgate tools validate my-tool.json\n  1 file is fine: 1 tool\n")
    .runs(() => import("./tools-validate.ts"), "runToolsValidate");
  tools
    .command("reload")
    .summary("load the plugin files of all folders again")
    .description(
      "Loads the plugin files of all folders and reports the result. Exit 1 if a file or a tool is wrong.",
    )
    .configAndJson()
    .examples("toolgate tools reload --json")
    .runs(() => import("./tools-reload.ts"), "runToolsReload");
}

function modeOption(): Option {
  return new Option("--mode <mode>", "In plan mode only reading is allowed.")
    .choices(["act", "plan"])
    .default("act");
}
