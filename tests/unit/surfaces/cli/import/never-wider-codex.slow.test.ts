import { it } from "vitest";
import { claudeForms, expectNeverWider } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { codexVerdict } from "./oracles/codex.ts";
import { codexFile, codexSettings } from "./settings/codex.ts";

it("Codex: on over 500 calls near to 30 rule files no policy is wider than the rules were", async () => {
  await expectNeverWider({
    settings: codexSettings,
    forms: claudeForms,
    open: ({ user, project, config }) =>
      createImportWorld("codex", {
        ...(user && { "~/.codex/rules/default.rules": codexFile(user) }),
        ...(project && { ".codex/rules/team.rules": codexFile(project) }),
        ...(config && { "~/.codex/config.toml": config }),
      }),
    seedsOf: ({ user = [], project = [] }) => ({
      lines: [...user, ...project].flatMap(({ pattern }) =>
        [0, 1].map((index) =>
          pattern
            .map((token) => [token].flat()[index] ?? [token].flat()[0] ?? "")
            .map((word) => (/ /.test(word) ? `'${word}'` : word))
            .join(" "),
        ),
      ),
    }),
    ownVerdict: ({ user = [], project = [], config = "" }, call) =>
      codexVerdict([...user, ...project], config.includes("never"), call),
  });
});
