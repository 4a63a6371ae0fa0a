/** `toolgate upstreams`: its options and its help. */
import { Argument, Option } from "commander";
import { serverOwners } from "../../../../agents/mcp-servers/server-owners.ts";
import { permissions } from "../../../../core/tool/permission.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineUpstreams(program: CliCommand): void {
  const upstreams = program
    .command("upstreams")
    .summary("manage the MCP servers behind the gate")
    .description(
      "MCP servers behind the gate: their tools are called name__tool and pass every rule. A tool that is new or has changed since it was accepted is hidden and refused until a person accepts it.",
    )
    .examples(
      "toolgate upstreams add files -- npx -y @modelcontextprotocol/server-filesystem .",
      `toolgate upstreams add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer \${GITHUB_TOKEN}'`,
      "toolgate upstreams review",
      "toolgate upstreams accept github get_issue",
      "toolgate upstreams import claude --dry-run",
    );
  upstreams
    .command("list")
    .summary("list the servers and their state")
    .description("Lists the servers, their tools, and what waits for a person.")
    .option("--check", "Connect to each of them; exit 1 if one does not work.")
    .configAndJson()
    .examples("toolgate upstreams list --check")
    .runs(() => import("./upstreams-list.ts"), "runUpstreamsList");
  upstreams
    .command("add")
    .summary("add a server to your configuration")
    .description(
      "Starts a server once and, if it answers, adds it to your configuration file, whose comments stay. Paths are resolved against the current folder. Upstream tools count as execute by default, so every call needs approval. Values of --env and --header may name variables of the environment, in single quotes, as below.",
    )
    .argument("<name>", "its name here: lower-case letters, digits, - and _")
    .argument("[command...]", "the program and its arguments, behind --")
    .option("--url <url>", "Connect to this address (Streamable HTTP) instead of starting a program.")
    .option("--env <NAME=VALUE...>", "Variables for the program.")
    .option("--env-pass <NAMES...>", "Names of variables to pass on unchanged.")
    .option("--header <header...>", 'Headers for every request: "Authorization: Bearer ...".')
    .option("--cwd <folder>", "The folder in which the program runs. Default: the project.")
    .addOption(
      new Option("--sandbox <how>", "Run it in a sandbox.").choices(["off", "preferred", "required"]),
    )
    .addOption(
      new Option(
        "--permission <what>",
        "What rules take its tools for. Default: execute, so every call needs approval.",
      ).choices(permissions),
    )
    .option("--trust-annotations", "Believe the server about which of its tools only read.")
    .option("--review", "Hide its tools until you have accepted them.")
    .option("--replace", "Replace the server of this name.")
    .option("--no-check", "Add it without starting it.")
    .option("--dry-run", "Show what would be written.")
    .configAndJson()
    .examples("toolgate upstreams add files -- npx -y @modelcontextprotocol/server-filesystem .")
    .runs(() => import("./upstreams-edit.ts"), "runUpstreamsAdd");
  upstreams
    .command("remove")
    .summary("remove servers from your configuration")
    .description(
      "Removes servers from your configuration file, and forgets which of their tools were accepted.",
    )
    .argument("<names...>", "which")
    .configAndJson()
    .examples("toolgate upstreams remove files")
    .runs(() => import("./upstreams-edit.ts"), "runUpstreamsRemove");
  upstreams
    .command("review")
    .summary("show tools that are new or have changed")
    .description(
      "Asks the servers for their tools and shows what is not accepted yet: the start of new ones, and what differs in changed ones. Characters that nobody can see are shown as \\u{...}.",
    )
    .argument("[names...]", "only these servers")
    .option("--offline", "Start nothing; show what was seen before.")
    .option("--full", "Show whole definitions, as a model reads them.")
    .configAndJson()
    .examples("toolgate upstreams review github")
    .runs(() => import("./upstreams-review.ts"), "runUpstreamsReview");
  upstreams
    .command("accept")
    .summary("accept tools as they are shown")
    .description(
      "Accepts the definitions that are shown, and no others. They count at once, also in a running toolgate.",
    )
    .argument("<name>", "the server")
    .argument("[tools...]", "only these, as the server names them; default: all that wait")
    .option("-y, --yes", "Do not ask.")
    .option("--full", "With --yes: show whole definitions, as without it.")
    .configAndJson()
    .examples("toolgate upstreams accept github get_issue")
    .runs(() => import("./upstreams-review.ts"), "runUpstreamsAccept");
  upstreams
    .command("restart")
    .summary("restart servers, in every running toolgate")
    .description("Every running toolgate process ends its connection to these servers and starts them again.")
    .argument("<names...>", "which")
    .configAndJson()
    .examples("toolgate upstreams restart github")
    .runs(() => import("./upstreams-restart.ts"), "runUpstreamsRestart");
  upstreams
    .command("import")
    .summary("import the servers of Claude, Cursor, VS Code or Codex")
    .description(
      "Reads the MCP servers that another program is set up with, the user's and the project's, shows what it would write into your configuration file, and writes it. Secrets are not copied: the file names variables instead.",
    )
    .addArgument(new Argument("<from>", "whose").choices(serverOwners))
    .argument("[names...]", "only these servers")
    .option("--dry-run", "Only show it.")
    .option("--copy-secrets", "Copy values that look like secrets into the file, which only you can read.")
    .option("--replace", "Replace servers of the same name.")
    .option("--review", "Hide their tools until you have accepted them.")
    .option("-y, --yes", "Do not ask.")
    .configAndJson()
    .examples("toolgate upstreams import claude --dry-run")
    .runs(() => import("./upstreams-import.ts"), "runUpstreamsImport");
}
