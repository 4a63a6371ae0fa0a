/** The commands about the servers: mcp, serve, tokens. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { StoreThread } from "../../../open/start-store-thread.ts";
import type { McpCommandOptions } from "../commands/mcp.ts";
import type { ServeCommandOptions } from "../commands/serve.ts";
import type { TokensCreateOptions } from "../commands/tokens.ts";
import {
  command,
  configOption,
  disableToolsOption,
  enableCategoriesOption,
  enableToolsOption,
  type Host,
  jsonOption,
} from "./define-command.ts";
import { withToolOptions } from "./tool-commands.ts";

export function defineServe(program: Command, { io, finish }: Host): void {
  withToolOptions(
    command(program, "serve")
      .summary("the gate as a service: REST, events, agents' hooks")
      .description(
        "Serves the gate over HTTP until Ctrl-C: REST with events, and the fast way for agents' hooks. Listens on this machine only, unless a certificate and tokens are set up. Every request needs a token; yours is in a file that only you can read.",
      )
      .option("--host <address>", "Listen on this address. Default: 127.0.0.1.")
      .option("--port <number>", "Listen on this port; 0: any that is free. Default: 4655.", readPort)
      .option("--token-file <file>", "Where your token is, or will be made.")
      .option("--tls-cert <file>", "Certificate with its chain, as PEM.")
      .option("--tls-key <file>", "Its private key, as PEM.")
      .option("--open", "Open the browser."),
  )
    .addHelpText("after", serveExamples)
    .action(async (options: ServeCommandOptions) => {
      const thread = await startServing();
      const { runServe } = await import("../commands/serve.ts");
      finish(await runServe(options, io, thread));
    });
}

export function defineMcp(program: Command, { io, finish }: Host): void {
  command(program, "mcp")
    .summary("the gate as an MCP server, on standard input and output")
    .description(
      "Serves the gate's tools, resources and prompts, and those of upstream servers, to one MCP client over standard input and output. Where a rule asks, the person at the client is asked if the client can do that; else the call waits for toolgate approvals. Ends when the client closes the pipe.",
    )
    .addOption(
      new Option(
        "--tools <mode>",
        "Which tools are listed: all, only search, or auto by what they cost (default: auto).",
      ).choices(["all", "search", "auto"]),
    )
    .option("--permission-prompt", "Offer the tool permission_prompt, for claude --permission-prompt-tool.")
    .option("--as <name>", "Who calls, in rules, limits and records. Default: local.")
    .option(
      "--workspace <folder>",
      "The project to work in. Default: the folder it is started in, if that is neither your home folder nor /.",
    )
    .option("--wait <duration>", "How long a call waits for a person: 90s, 5m, 1h. Default: 10m.")
    .option("--no-wait", "Do not wait for toolgate approvals: refuse what the client cannot be asked about.")
    .addOption(enableToolsOption())
    .addOption(disableToolsOption())
    .addOption(enableCategoriesOption())
    .addOption(configOption())
    .addHelpText("after", mcpExamples)
    .action(async (options: McpCommandOptions) => {
      const thread = await startServing();
      const { runMcp } = await import("../commands/mcp.ts");
      finish(await runMcp(options, io, thread));
    });
}

export function defineTokens(program: Command, { io, finish }: Host): void {
  const tokens = command(program, "tokens")
    .summary("give out, list and take back tokens for the server")
    .description(
      "Tokens say who asks the server and what they may do: call tools, read records, approve calls, administer. Of a token only its hash is kept.",
    )
    .addHelpText("after", tokensExamples);
  command(tokens, "create")
    .summary("make a token")
    .description(
      "Makes a token and prints it once, on standard output. Its name is the principal of all calls made with it.",
    )
    .argument("<name>", "who will use it: claude-code, ci, alice")
    .requiredOption("--rights <rights>", "What it may do, with commas: call, read, approve, admin.")
    .option("--expires <time>", "When it ends: 90m, 12h, 30d, 8w. Default: never.")
    .option(
      "--capabilities <names>",
      "What its calls may use, with commas: fs:read, net:fetch. Default: all.",
    )
    .option("--replace", "Take the place of the token that has this name.")
    .option("-o, --out <file>", "Write it there, readable only for you, instead of printing it.")
    .addOption(jsonOption())
    .action(async (name: string, options: Omit<TokensCreateOptions, "name">) => {
      const { runTokensCreate } = await import("../commands/tokens.ts");
      finish(await runTokensCreate({ name, ...options }, io));
    });
  command(tokens, "list")
    .summary("who has a token, and what it allows")
    .description("Lists the tokens that were given out, without the tokens themselves.")
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { runTokensList } = await import("../commands/tokens.ts");
      finish(await runTokensList(options, io));
    });
  command(tokens, "revoke")
    .summary("take tokens back, at once")
    .description("Takes tokens back: a running server refuses them from the next request on.")
    .argument("<names...>", "whose")
    .addOption(jsonOption())
    .action(async (names: string[], options: { json?: boolean }) => {
      const { runTokensRevoke } = await import("../commands/tokens.ts");
      finish(await runTokensRevoke({ names, ...options }, io));
    });
}

/** The store's thread loads its code while the command does. */
async function startServing(): Promise<StoreThread> {
  const { startStoreThread } = await import("../../../open/start-store-thread.ts");
  return startStoreThread();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is 0 to 65535.");
  return port;
}

const serveExamples = `
Examples:
  $ toolgate serve
  $ toolgate serve --port 0 --json
  $ toolgate serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
`;

const mcpExamples = `
Examples:
  $ claude mcp add toolgate -- toolgate mcp
  $ toolgate mcp --tools search
  $ toolgate mcp --enable-tool-categories development --as ci
`;

const tokensExamples = `
Examples:
  $ toolgate tokens create claude-code --rights call --expires 30d --out agent.token
  $ toolgate tokens create alice --rights read,approve
  $ toolgate tokens revoke claude-code
`;
