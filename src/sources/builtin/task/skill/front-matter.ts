/** Takes a SKILL.md apart: the facts between its first `---` lines, and the instructions below. */
import { parse } from "yaml";
import { isRecord } from "../../../../core/input/json.ts";
import { visible } from "../../../../core/text/visible.ts";

export interface SkillText {
  /** What the file calls itself. */
  readonly name: string | undefined;
  readonly description: string;
  readonly body: string;
}

const maxHeaderCharacters = 16_384;
const maxDescriptionCharacters = 1_024;

/** A text says what is wrong. Hidden characters are shown: the model reads what a reviewer sees. */
export function parseSkill(source: string): SkillText | string {
  const text = source.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const header = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text.slice(0, maxHeaderCharacters));
  if (header === null) return 'it must begin with "---", `name`, `description`, "---"';
  let facts: unknown;
  try {
    facts = parse(header[1] ?? "", { maxAliasCount: 0, logLevel: "error" });
  } catch (error) {
    return `its first lines are not YAML: ${(error as Error).message.split("\n")[0]}`;
  }
  if (!isRecord(facts)) return "its first lines must name `name` and `description`";
  const { name, description } = facts;
  if (typeof description !== "string" || description.trim() === "") return "it has no description";
  return {
    name: typeof name === "string" ? name : undefined,
    description: visible(description.trim().replace(/\s+/g, " "), { maxLength: maxDescriptionCharacters }),
    body: visible(text.slice(header[0].length).trim(), { keepNewlines: true }),
  };
}
