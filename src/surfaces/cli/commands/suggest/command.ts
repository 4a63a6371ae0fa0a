/** `toolgate suggest`: its options and its help. */
import { Option } from "commander";
import { suggestionKinds } from "../../../../suggest/suggestion.ts";
import type { CliCommand } from "../../program/define-command.ts";

export function defineSuggest(program: CliCommand): void {
  program
    .command("suggest")
    .summary("propose rules that would have saved you questions")
    .description(
      "Proposes rules from how people answered, each with its proof: which questions it would have saved, what it would change, and which attacks it does not let pass. Nothing is written without --write.",
    )
    .argument("[ids...]", "only these suggestions, by the start of their ids")
    .option("--days <days>", "How far to look back, from 1 to 365 days.", "30")
    .addOption(new Option("--for <kind>", "Only of this kind.").choices([...suggestionKinds]))
    .option("--write <file>", "Write what is proved into this configuration file of yours.")
    .option("--yes", "Write without asking.")
    .json()
    .examples(
      "toolgate suggest",
      "toolgate suggest --for deny --days 90",
      "toolgate suggest allow-a2ac --write ~/.config/toolgate/config.yaml",
    )
    .runs(() => import("./suggest.ts"), "runSuggest");
}
