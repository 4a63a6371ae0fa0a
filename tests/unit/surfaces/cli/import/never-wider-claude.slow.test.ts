import { it } from "vitest";
import { claudeForms, expectNeverWider, filled } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { claudeVerdict } from "./oracles/claude.ts";
import { claudeSettings } from "./settings/claude.ts";

it("Claude Code: on over 500 calls near to 30 settings no policy is wider than the settings were", async () => {
  await expectNeverWider({
    settings: claudeSettings,
    forms: claudeForms,
    open: ({ user, project, local }) =>
      createImportWorld("claude", {
        ...(user && { "~/.claude/settings.json": JSON.stringify({ permissions: user }) }),
        ...(project && { ".claude/settings.json": JSON.stringify({ permissions: project }) }),
        ...(local && { ".claude/settings.local.json": JSON.stringify({ permissions: local }) }),
      }),
    seedsOf: ({ user, project, local }) => {
      const rules = [user, project, local].flatMap((one) => [
        ...(one?.allow ?? []),
        ...(one?.ask ?? []),
        ...(one?.deny ?? []),
      ]);
      const inside = (form: RegExp) => rules.flatMap((rule) => form.exec(rule)?.[1] ?? []);
      const bare = rules.filter((rule) => /^[A-Z]\w+$|^mcp__/.test(rule) && rule !== "Bash");
      return {
        lines: inside(/^Bash\(([\s\S]*)\)$/).map((line) => filled(line.replace(/:\*$/, " *"))),
        paths: inside(/^(?:Read|Edit|Write)\((.*)\)$/).map((path) => filled(path.replace(/^\/\//, "/"))),
        hosts: inside(/^WebFetch\(domain:(.*)\)$/).map((host) => host.replace("*.", "")),
        tools: bare.map((tool) => (tool.split("__").length === 2 ? `${tool}__some` : filled(tool))),
      };
    },
    ownVerdict: ({ user, project, local }, call, world) =>
      claudeVerdict(
        [user, project, local].filter((one) => one !== undefined),
        call,
        world,
      ),
  });
});
