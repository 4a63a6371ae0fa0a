/** skill.load: instructions for a kind of task, from folders that the operator named. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { shownName, visible } from "../../../core/text/visible.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { cutAnswer } from "../fit-lines.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import type { TaskPorts } from "./ports.ts";
import { findSkill, listSkills, readSkillFile } from "./skill/skill-folders.ts";

export function createSkillLoad({ skillFolders: named = [] }: Pick<TaskPorts, "skillFolders">) {
  return defineBuiltin("skill.load", {
    title: "Load a skill",
    description:
      "Loads the instructions of a skill by its name, or lists the skills there are. `file` reads another file of the skill, as its instructions name it.",
    input: closed([], {
      name: nonEmpty("The skill. Left out: list them.", 200),
      file: nonEmpty("A file in the skill's folder.", 1_000),
      args: { type: "string", maxLength: 10_000, description: "What the skill is to be used for." },
    }),
    synonyms: { name: ["skill", "skill_name", "command"], args: ["arguments"] },
    adapt: ({ task_progress: _progress, ...input }: JsonObject) =>
      typeof input.name === "string" ? { ...input, name: input.name.replace(/^\//, "") } : input,
    run: async ({ name, file, args }, { signal }) => {
      const skillFolders = typeof named === "function" ? named() : named;
      if (skillFolders.length === 0)
        return failed({ code: "no_skills", message: "There is no folder with skills here." });
      if (name === undefined) return list(skillFolders, signal);
      if (file !== undefined) {
        const text = await readSkillFile(skillFolders, name, file, signal);
        if (typeof text !== "string") return failed(text);
        return cutAnswer(visible(text.replaceAll("\r\n", "\n"), { keepNewlines: true }), { name, file });
      }
      const skill = await findSkill(skillFolders, name, signal);
      if (skill === undefined) {
        const { skills } = await listSkills(skillFolders, signal);
        const names = skills.map(({ id }) => id).join(", ") || "none";
        const message = `There is no skill ${shownName(name)}. Skills: ${names}.`;
        return failed({ code: "not_found", message });
      }
      if ("message" in skill) return failed(skill);
      const { id, description, body, files } = skill;
      const more = files.length === 0 ? "" : `\n\n[Other files of this skill: ${files.join(", ")}]`;
      const use = args === undefined || args === "" ? "" : `\n\n[To be used for: ${args}]`;
      return cutAnswer(`# ${id}\n${description}\n\n${body}${use}${more}`, { name: id, description, files });
    },
  });
}

async function list(folders: readonly string[], signal: AbortSignal): Promise<ToolResult> {
  const { skills, problems } = await listSkills(folders, signal);
  const lines = skills.map(({ id, description }) => `${id}: ${description}`);
  if (lines.length === 0) lines.push("There are no skills.");
  lines.push(...problems.map((problem) => `[not usable: ${problem}]`));
  return cutAnswer(lines.join("\n"), { skills: skills.map(({ id }) => id), problems });
}
