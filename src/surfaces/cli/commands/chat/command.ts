/** `toolgate chat`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";
import { sessionOptions } from "../sessions/session-options.ts";

export function defineChat(program: CliCommand): void {
  sessionOptions(
    program
      .command("chat")
      .summary("talk to an agent, behind the gate")
      .description(
        "A conversation with an agent; every tool call of it passes the gate. In the server of this user if one runs, else in this process; in this process too with --local, --config or a flag that enables tools. Ctrl-C cancels the turn, twice ends the conversation, which can be gone on with. Without a terminal each line of standard input is a message.",
      ),
  )
    .option("--session <id>", "Go on with this session.")
    .examples(
      "toolgate chat",
      "toolgate chat --runner claude --mode plan",
      "toolgate chat --session s-Q3k9sLw2aB",
    )
    .runs(() => import("./chat.ts"), "runChat");
}
