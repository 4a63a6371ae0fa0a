import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { AnyTool } from "../../../../src/core/tool.ts";
import { createMcpTools } from "../../../../src/sources/builtin/mcp/mcp-tools.ts";
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

async function refusal(name: string, tools: readonly AnyTool[]): Promise<string> {
  const { server } = await createMcpWorld({ tools });
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
  const load = (...skills: string[]) => [createSkillLoad({ skillFolders: [folderWith(...skills)] })];
  expect(await refusal("nope", load("plan", "review"))).toBe(
    'There is no prompt "nope". Prompts here: plan, review.',
  );
  const twelve = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);
  expect(await refusal("nope. Skills: x.", load(...twelve))).toBe(
    'There is no prompt "nope. Skills: x.". Prompts here: s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 2 more.',
  );
});
