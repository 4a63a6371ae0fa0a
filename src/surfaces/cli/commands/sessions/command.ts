/** `toolgate sessions`: its commands, their options and their help. */
import { InvalidArgumentError, Option } from "commander";
import { sessionEnds, sessionStates } from "../../../../core/ports/sessions.ts";
import { type CliCommand, ndjsonOption } from "../../program/define-command.ts";

export function defineSessions(program: CliCommand): void {
  const sessions = program
    .command("sessions")
    .summary("look at agents that the gate runs, cancel them, go on with them")
    .description(
      "Looks at the sessions of agents that the gate runs, in the server of this user if one runs, and acts on them.",
    )
    .examples(
      "toolgate sessions list",
      "toolgate sessions show s-Q3k9sLw2aB",
      "toolgate sessions resume s-Q3k9sLw2aB 'Go on.'",
    );
  const load = () => import("./sessions.ts");
  sessions
    .command("list")
    .summary("list sessions, the newest first")
    .description("Lists sessions, the newest first, with state, folder and title.")
    .addOption(
      new Option("--state <state>", "Only in this state, or ended in this way.").choices([
        ...sessionStates,
        ...sessionEnds,
      ]),
    )
    .option("--owner <caller>", "Only of this caller.")
    .option("--limit <number>", "At most so many. Default: 50.", readLimit)
    .jsonAndLines()
    .examples(
      "toolgate sessions list",
      "toolgate sessions list --state failed",
      "toolgate sessions list --state waiting --json",
    )
    .runs(load, "runSessionsList");
  sessions
    .command("show")
    .summary("print the transcript of a session")
    .description("Prints what was said and done in a session, as far as it has come.")
    .argument("<id>", "the session's id")
    .json()
    .examples("toolgate sessions show s-Q3k9sLw2aB")
    .runs(load, "runSessionsShow");
  sessions
    .command("tail")
    .summary("follow a session until it ends")
    .description(
      "Prints a session from its beginning and goes on as it happens, until it ends or Ctrl-C. Leaving it cancels nothing.",
    )
    .argument("<id>", "the session's id")
    .addOption(ndjsonOption())
    .examples("toolgate sessions tail s-Q3k9sLw2aB", "toolgate sessions tail s-Q3k9sLw2aB --ndjson")
    .runs(load, "runSessionsTail");
  sessions
    .command("cancel")
    .summary("end a session, or its turn")
    .description(
      "Ends a session with everything that runs in it. Its transcript stays, and it can be gone on with.",
    )
    .argument("<id>", "the session's id")
    .option("--turn", "Only the turn that runs; the session waits for the next message.")
    .json()
    .examples("toolgate sessions cancel s-Q3k9sLw2aB", "toolgate sessions cancel s-Q3k9sLw2aB --turn")
    .runs(load, "runSessionsCancel");
  sessions
    .command("resume")
    .summary("send a message to a session, also after its end")
    .description(
      "Sends a message and follows the turn. Also goes on with a session that has ended or whose process died. Ends as toolgate run does.",
    )
    .argument("<id>", "the session's id")
    .argument("<message>", "what to say; - reads it from standard input")
    .option("--local", "Run it in this process, also if a server runs.")
    .json()
    .examples("toolgate sessions resume s-Q3k9sLw2aB 'Go on.'")
    .runs(load, "runSessionsResume");
  sessions
    .command("remove")
    .summary("remove a session with its transcript")
    .description(
      "Cancels a session and removes it with its transcript. A work tree that was made for it goes too, unless it has changes.",
    )
    .argument("<id>", "the session's id")
    .json()
    .examples("toolgate sessions remove s-Q3k9sLw2aB")
    .runs(load, "runSessionsRemove");
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > 500) throw new InvalidArgumentError("1 to 500.");
  return limit;
}
