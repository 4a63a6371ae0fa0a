/** `toolgate check`: its options and its help. */
import { Option } from "commander";
import { agentNames } from "../../../../agents/all-agents.ts";
import { type CliCommand, configOption } from "../../program/define-command.ts";

export function defineCheck(program: CliCommand): void {
  program
    .command("check")
    .summary("check whether a tool call may run, as agents' hooks do")
    .description(
      "Takes one tool call, as words or (from agents) as JSON from standard input. Exit 0 and silence: it may run (the agent's own prompts still apply). Exit 2: it is blocked, or could not be checked; why is on standard error.",
    )
    .callWords()
    .addOption(new Option("--agent <agent>", "Answer in this agent's own JSON as well.").choices(agentNames))
    .addOption(configOption())
    .addHelpText("after", checkExamples)
    .runs(() => import("./check.ts"), "runCheck");
}

const checkExamples = `
Examples:
  $ toolgate check Bash 'git push --force'
  (exit 2 if a rule forbids it, and on standard error why)

  $ echo '{"tool_name":"WebFetch","tool_input":{"url":"https://github.com/foo/bar/pull/123"}}' | toolgate check
  (exit 2, and on standard error what to do instead: gh pr view ...)

  $ echo '{"tool_name":"WebFetch","tool_input":{"url":"https://github.com/foo/bar"}}' | toolgate check
  (exit 0, nothing printed)
`;
