import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AnyTool } from "../../../../src/core/tool/tool.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
import { listSkills } from "../../../../src/sources/builtin/task/skill/skill-folders.ts";
import { createSkillLoad } from "../../../../src/sources/builtin/task/skill-load.ts";
import { connectLegacy, createMcpWorld } from "./mcp-world.ts";

function folderWith(...skills: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-prompts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const skill of skills) {
    mkdirSync(join(folder, skill));
    writeFileSync(join(folder, skill, "SKILL.md"), `---\nname: ${skill}\ndescription: One.\n---\nDo it.\n`);
  }
  return folder;
}

async function refusal(
  name: string,
  tools: readonly AnyTool[],
  skillFolders: string[] = [],
): Promise<string> {
  const skills = async (signal: AbortSignal) => (await listSkills(skillFolders, signal)).skills;
  const { server } = await createMcpWorld({ tools }, { skills });
  const { error } = await (await connectLegacy(server)).ask("prompts/get", { name });
  expect(error.code).toBe(-32602);
  return error.message;
}

it("a prompt that is not there is called a prompt, whatever there is no folder, server or tool for", async () => {
  const none = [createSkillLoad({ skillFolders: [] }), ...createMcpTools({})];
  expect(await refusal("nope", none)).toBe('There is no prompt "nope".');
  expect(await refusal("nope", [createSkillLoad({ skillFolders: [folderWith()] })])).toBe(
    'There is no prompt "nope".',
  );
  expect(await refusal("nope", [])).toBe('There is no prompt "nope".');
  expect(await refusal("hub__nope", none)).toBe('There is no prompt "hub__nope".');
});

it("the prompts that there are get named, ten at most", async () => {
  const refusalWith = (name: string, skills: readonly string[]) => {
    const skillFolders = [folderWith(...skills)];
    return refusal(name, [createSkillLoad({ skillFolders })], skillFolders);
  };
  expect(await refusalWith("nope", ["plan", "review"])).toBe(
    'There is no prompt "nope". Prompts here: plan, review.',
  );
  const twelve = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);
  expect(await refusalWith("nope. Skills: x.", twelve)).toBe(
    'There is no prompt "nope. Skills: x.". Prompts here: s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 2 more.',
  );
});
