import { it } from "vitest";
import type { CallForms } from "./calls.ts";
import { expectNeverWider, filled } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { clineVerdict } from "./oracles/cline.ts";
import { clineSettings } from "./settings/cline.ts";

const clineForms: CallForms = {
  shell: (command) => ({ tool: "execute_command", input: { command } }),
  read: (path) => ({ tool: "read_file", input: { path } }),
  write: (path) => ({ tool: "write_to_file", input: { path, content: "x" } }),
  fetch: (url) => ({ tool: "web_fetch", input: { url } }),
};

it("Cline: on over 500 calls near to 30 settings no policy is wider than the settings were", async () => {
  await expectNeverWider({
    settings: clineSettings,
    forms: clineForms,
    open: ({ permissions, actions, autoApprove }) => {
      const state = { autoApprovalSettings: { version: 1, enabled: true, actions } };
      const servers = Object.entries(autoApprove ?? {}).map(([name, tools]) => [
        name,
        { command: "x", autoApprove: tools },
      ]);
      return createImportWorld(
        "cline",
        {
          ...(actions && { "~/.cline/data/globalState.json": JSON.stringify(state) }),
          "~/.cline/data/settings/cline_mcp_settings.json": JSON.stringify({
            mcpServers: Object.fromEntries(servers),
          }),
        },
        permissions === undefined ? {} : { CLINE_COMMAND_PERMISSIONS: JSON.stringify(permissions) },
      );
    },
    seedsOf: ({ permissions, autoApprove = {} }) => ({
      lines: [...(permissions?.allow ?? []), ...(permissions?.deny ?? [])].map(filled),
      tools: Object.entries(autoApprove).flatMap(([server, tools]) =>
        [...tools, "other"].map((tool) => `mcp__${server}__${tool}`),
      ),
    }),
    ownVerdict: (own, call) => clineVerdict(own, call),
  });
});
