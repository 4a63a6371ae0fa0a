/** `toolgate tokens`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineTokens(program: CliCommand): void {
  const tokens = program
    .command("tokens")
    .summary("create, list and revoke tokens for the server")
    .description(
      "Tokens say who asks the server and what they may do: call tools, read records, approve calls, administer. Of a token only its hash is kept.",
    )
    .examples(
      "toolgate tokens create claude-code --rights call --expires 30d --out agent.token",
      "toolgate tokens create alice --rights read,approve",
      "toolgate tokens revoke claude-code",
    );
  tokens
    .command("create")
    .summary("create a token")
    .description(
      "Makes a token and prints it once, on standard output. Its name is the caller of all calls made with it.",
    )
    .argument("<name>", "who will use it: claude-code, ci, alice")
    .requiredOption("--rights <rights>", "Its rights, separated by commas: call, read, approve, admin.")
    .option("--expires <time>", "When it ends: 90m, 12h, 30d, 8w. Default: never.")
    .option(
      "--capabilities <names>",
      "What its calls may use, separated by commas: fs:read, net:fetch. Default: all.",
    )
    .option("--replace", "Replace the token of this name.")
    .outFile("Write it there, readable only for you, instead of printing it.")
    .json()
    .examples("toolgate tokens create ci --rights call,read --expires 30d --out ci.token")
    .runs(() => import("./tokens.ts"), "runTokensCreate");
  tokens
    .command("list")
    .summary("list the tokens and their rights")
    .description("Lists the tokens that were given out, without the tokens themselves.")
    .json()
    .examples("toolgate tokens list")
    .runs(() => import("./tokens.ts"), "runTokensList");
  tokens
    .command("revoke")
    .summary("revoke tokens, at once")
    .description(
      "Revokes tokens. A running server refuses them from the next request on, and sessions that were started with them end.",
    )
    .argument("<names...>", "whose")
    .json()
    .examples("toolgate tokens revoke ci")
    .runs(() => import("./tokens.ts"), "runTokensRevoke");
}
