/** `toolgate mcp`: its options and its help. */
import { Option } from "commander";
import { type CliCommand, configOption } from "../../program/define-command.ts";
import type { CliIo } from "../../terminal/io.ts";
import { startStore } from "../serve/command.ts";
import type { McpCommandOptions } from "./mcp.ts";

export function defineMcp(program: CliCommand): void {
  program
    .command("mcp")
    .summary("serve the gate to an MCP client, on standard input and output")
    .description(
      "Serves the gate's tools, resources and prompts, and those of upstream servers, to one MCP client over standard input and output. If a rule asks, the call waits for toolgate approvals, and for the person at the client if mcp.approve_by_elicitation is set. Ends when the client closes the pipe.",
    )
    .addOption(
      new Option(
        "--tools <mode>",
        "Which tools are listed: all, only search, or auto by what they cost (default: auto).",
      ).choices(["all", "search", "auto"]),
    )
    .option("--permission-prompt", "Offer the tool permission_prompt, for claude --permission-prompt-tool.")
    .option("--as <name>", "The caller in rules, limits and records. Default: local.")
    .option(
      "--workspace <folder>",
      "The project to work in. Default: the folder it is started in, if that is neither your home folder nor /.",
    )
    .option("--wait <duration>", "How long a call waits for a person: 90s, 5m, 1h. Default: 10m.")
    .option(
      "--no-wait",
      "Do not wait for toolgate approvals: refuse calls that the client cannot be asked about.",
    )
    .enabling()
    .addOption(configOption())
    .examples(
      "claude mcp add toolgate -- toolgate mcp",
      "toolgate mcp --tools search",
      "toolgate mcp --enable-tool-categories development --as ci",
    )
    .runs(async () => {
      const thread = await startStore();
      const { runMcp } = await import("./mcp.ts");
      return { runMcp: (options: McpCommandOptions, io: CliIo) => runMcp(options, io, thread) };
    }, "runMcp");
}
