import { it } from "vitest";
import type { CallForms } from "./calls.ts";
import { expectNeverWider, filled } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { geminiVerdict } from "./oracles/gemini.ts";
import { geminiPolicy, geminiSettings } from "./settings/gemini.ts";

const geminiForms: CallForms = {
  shell: (command) => ({ tool: "run_shell_command", input: { command } }),
  read: (absolute_path) => ({ tool: "read_file", input: { absolute_path } }),
  write: (file_path) => ({ tool: "write_file", input: { file_path, content: "x" } }),
  fetch: (url) => ({ tool: "web_fetch", input: { prompt: `read ${url}`, urls: [url] } }),
};

it("Gemini CLI: on over 500 calls near to 30 settings no policy is wider than the settings were", async () => {
  await expectNeverWider({
    settings: geminiSettings,
    forms: geminiForms,
    open: ({ user, project }) =>
      createImportWorld("gemini", {
        ...(user?.settings && { "~/.gemini/settings.json": JSON.stringify(user.settings) }),
        ...(user?.rules && { "~/.gemini/policies/mine.toml": geminiPolicy(user.rules) }),
        ...(project?.settings && { ".gemini/settings.json": JSON.stringify(project.settings) }),
        ...(project?.rules && { ".gemini/policies/team.toml": geminiPolicy(project.rules) }),
      }),
    seedsOf: ({ user, project }) => {
      const rules = [...(user?.rules ?? []), ...(project?.rules ?? [])];
      const tools = [user?.settings?.tools, project?.settings?.tools].flatMap((one) => [
        ...(one?.allowed ?? []),
        ...(one?.exclude ?? []),
        ...(one?.core ?? []),
      ]);
      const listed = tools.flatMap((entry) => /\((.*)\)/.exec(entry)?.[1] ?? []);
      const named = rules.flatMap(({ toolName = [], mcpName }) =>
        [toolName].flat().map((name) => (mcpName === undefined ? name : `mcp__${mcpName}__${filled(name)}`)),
      );
      const servers = [
        ...(user?.settings?.mcp?.excluded ?? []),
        ...Object.keys(user?.settings?.mcpServers ?? {}),
      ];
      return {
        lines: [
          ...rules.flatMap(({ commandPrefix = [] }) => commandPrefix),
          ...rules.flatMap(({ commandRegex }) =>
            commandRegex === undefined
              ? []
              : [
                  commandRegex
                    .replaceAll(/\^|\\b|\(([^|)]*)[^)]*\)/g, "$1")
                    .replaceAll(".*", "x")
                    .replaceAll("\\", ""),
                ],
          ),
          ...listed,
        ],
        hosts: ["internal.example.com"],
        tools: [
          ...named.filter(
            (name) => name !== "*" && name !== "run_shell_command" && !name.startsWith("mcp_jira"),
          ),
          ...servers.map((server) => `mcp__${server}__some`),
          ...(named.some((name) => name.startsWith("mcp_jira"))
            ? ["mcp__jira__create_issue", "mcp__jira__x"]
            : []),
        ],
      };
    },
    ownVerdict: (own, call) => geminiVerdict(own, call),
  });
});
