import { it } from "vitest";
import type { CallForms } from "./calls.ts";
import { expectNeverWider, filled } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { opencodeVerdict } from "./oracles/opencode.ts";
import { opencodeSettings } from "./settings/opencode.ts";

const opencodeForms: CallForms = {
  shell: (command) => ({ tool: "bash", input: { command } }),
  read: (filePath) => ({ tool: "read", input: { filePath } }),
  write: (filePath) => ({ tool: "write", input: { filePath, content: "x" } }),
  fetch: (url) => ({ tool: "webfetch", input: { url } }),
};

it("OpenCode: on over 500 calls near to 30 permissions no policy is wider than they were", async () => {
  await expectNeverWider({
    settings: opencodeSettings,
    forms: opencodeForms,
    open: ({ user, project }) =>
      createImportWorld("opencode", {
        ...(user && { "~/.config/opencode/opencode.json": JSON.stringify({ permission: user }) }),
        ...(project && { "opencode.jsonc": `// ours\n${JSON.stringify({ permission: project })}` }),
      }),
    seedsOf: ({ user, project }) => {
      const of = (key: string) =>
        [user, project].flatMap((one) => {
          const value = typeof one === "object" ? one[key] : undefined;
          return typeof value === "object" ? Object.keys(value).filter((pattern) => pattern !== "*") : [];
        });
      return {
        lines: of("bash").map(filled),
        paths: [...of("read"), ...of("edit"), ...of("external_directory")].map(filled),
        hosts: ["docs.example.com"],
        tools: ["grep", "glob", "list", "task", "websearch", "todowrite", "skill"],
      };
    },
    ownVerdict: opencodeVerdict,
  });
});
