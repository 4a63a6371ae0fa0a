import { it } from "vitest";
import type { CallForms } from "./calls.ts";
import { expectNeverWider, filled } from "./compare.ts";
import { createImportWorld } from "./import-world.ts";
import { claudeVerdict } from "./oracles/claude.ts";
import { clineVerdict } from "./oracles/cline.ts";
import { codexVerdict } from "./oracles/codex.ts";
import { geminiVerdict } from "./oracles/gemini.ts";
import { opencodeVerdict } from "./oracles/opencode.ts";
import { claudeSettings } from "./settings/claude.ts";
import { clineSettings } from "./settings/cline.ts";
import { codexFile, codexSettings } from "./settings/codex.ts";
import { geminiPolicy, geminiSettings } from "./settings/gemini.ts";
import { opencodeSettings } from "./settings/opencode.ts";

/** As Claude Code names its tools, and Codex. */
const claudeForms: CallForms = {
  shell: (command) => ({ tool: "Bash", input: { command } }),
  read: (file_path) => ({ tool: "Read", input: { file_path } }),
  write: (file_path) => ({ tool: "Write", input: { file_path, content: "x" } }),
  fetch: (url) => ({ tool: "WebFetch", input: { url, prompt: "x" } }),
};

const claude = () =>
  expectNeverWider({
    settings: claudeSettings,
    forms: claudeForms,
    open: ({ user, project, local }) =>
      createImportWorld("claude", {
        ...(user && { "~/.claude/settings.json": JSON.stringify({ permissions: user }) }),
        ...(project && { ".claude/settings.json": JSON.stringify({ permissions: project }) }),
        ...(local && { ".claude/settings.local.json": JSON.stringify({ permissions: local }) }),
      }),
    seedsOf: (one) => {
      const rules = Object.values(one).flatMap(({ allow = [], ask = [], deny = [] }) =>
        allow.concat(ask, deny),
      );
      const inside = (form: RegExp) => rules.flatMap((rule) => form.exec(rule)?.[1] ?? []);
      const bare = rules.filter((rule) => /^[A-Z]\w+$|^mcp__/.test(rule) && rule !== "Bash");
      return {
        lines: inside(/^Bash\(([\s\S]*)\)$/).map((line) => filled(line.replace(/:\*$/, " *"))),
        paths: inside(/^(?:Read|Edit|Write)\((.*)\)$/).map((path) => filled(path.replace(/^\/\//, "/"))),
        hosts: inside(/^WebFetch\(domain:(.*)\)$/).map((host) => host.replace("*.", "")),
        tools: bare.map((tool) => (tool.split("__").length === 2 ? `${tool}__some` : filled(tool))),
      };
    },
    ownVerdict: (one, call, world) => claudeVerdict(Object.values(one), call, world),
  });

const codex = () =>
  expectNeverWider({
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

const gemini = () =>
  expectNeverWider({
    settings: geminiSettings,
    forms: {
      shell: (command) => ({ tool: "run_shell_command", input: { command } }),
      read: (absolute_path) => ({ tool: "read_file", input: { absolute_path } }),
      write: (file_path) => ({ tool: "write_file", input: { file_path, content: "x" } }),
      fetch: (url) => ({ tool: "web_fetch", input: { prompt: `read ${url}`, urls: [url] } }),
    },
    open: ({ user, project }) =>
      createImportWorld("gemini", {
        ...(user?.settings && { "~/.gemini/settings.json": JSON.stringify(user.settings) }),
        ...(user?.rules && { "~/.gemini/policies/mine.toml": geminiPolicy(user.rules) }),
        ...(project?.settings && { ".gemini/settings.json": JSON.stringify(project.settings) }),
        ...(project?.rules && { ".gemini/policies/team.toml": geminiPolicy(project.rules) }),
      }),
    seedsOf: ({ user, project }) => {
      const rules = [...(user?.rules ?? []), ...(project?.rules ?? [])];
      const listed = [user?.settings?.tools, project?.settings?.tools]
        .flatMap((tools) => [tools?.allowed ?? [], tools?.exclude ?? [], tools?.core ?? []].flat())
        .flatMap((entry) => /\((.*)\)/.exec(entry)?.[1] ?? []);
      const named = rules.flatMap(({ toolName = [], mcpName }) =>
        [toolName].flat().map((name) => (mcpName === undefined ? name : `mcp__${mcpName}__${filled(name)}`)),
      );
      const { mcp, mcpServers = {} } = user?.settings ?? {};
      const hasJira = named.some((name) => name.startsWith("mcp_jira"));
      return {
        lines: [
          ...rules.flatMap(({ commandPrefix = [] }) => commandPrefix),
          ...rules.flatMap(({ commandRegex = [] }) => commandRegex).map(matchedBy),
          ...listed,
        ],
        hosts: ["internal.example.com"],
        tools: [
          ...named.filter(
            (name) => !["*", "run_shell_command"].includes(name) && !name.startsWith("mcp_jira"),
          ),
          ...[...(mcp?.excluded ?? []), ...Object.keys(mcpServers)].map((server) => `mcp__${server}__some`),
          ...(hasJira ? ["mcp__jira__create_issue", "mcp__jira__x"] : []),
        ],
      };
    },
    ownVerdict: (own, call) => geminiVerdict(own, call),
  });

/** A line that the expression matches. */
function matchedBy(expression: string): string {
  return expression
    .replaceAll(/\^|\\b|\(([^|)]*)[^)]*\)/g, "$1")
    .replaceAll(".*", "x")
    .replaceAll("\\", "");
}

const opencode = () =>
  expectNeverWider({
    settings: opencodeSettings,
    forms: {
      shell: (command) => ({ tool: "bash", input: { command } }),
      read: (filePath) => ({ tool: "read", input: { filePath } }),
      write: (filePath) => ({ tool: "write", input: { filePath, content: "x" } }),
      fetch: (url) => ({ tool: "webfetch", input: { url } }),
    },
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

const cline = () =>
  expectNeverWider({
    settings: clineSettings,
    forms: {
      shell: (command) => ({ tool: "execute_command", input: { command } }),
      read: (path) => ({ tool: "read_file", input: { path } }),
      write: (path) => ({ tool: "write_to_file", input: { path, content: "x" } }),
      fetch: (url) => ({ tool: "web_fetch", input: { url } }),
    },
    open: ({ permissions, actions, autoApprove = {} }) => {
      const state = { autoApprovalSettings: { version: 1, enabled: true, actions } };
      const server = ([name, tools]: [string, readonly string[]]) => [
        name,
        { command: "x", autoApprove: tools },
      ];
      const mcpServers = Object.fromEntries(Object.entries(autoApprove).map(server));
      return createImportWorld(
        "cline",
        {
          ...(actions && { "~/.cline/data/globalState.json": JSON.stringify(state) }),
          "~/.cline/data/settings/cline_mcp_settings.json": JSON.stringify({ mcpServers }),
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

it.for([
  ["Claude Code", claude],
  ["Codex", codex],
  ["Gemini CLI", gemini],
  ["OpenCode", opencode],
  ["Cline", cline],
] as const)(
  "%s: on over 500 calls near to 30 settings no policy is wider than the settings were",
  ([, compare]) => compare(),
);
