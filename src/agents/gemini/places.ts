/** Where Gemini CLI keeps its files. */
import { join } from "node:path";
import type { TrustForm } from "../gemini-family/folder-trust.ts";
import type { Family } from "../gemini-family/settings-files.ts";

export const family: Family = {
  title: "Gemini CLI",
  folder: ".gemini",
  configDir: ({ home, env }) => join(env.GEMINI_CLI_HOME || home, ".gemini"),
  systemFolder: {
    linux: "/etc/gemini-cli",
    darwin: "/Library/Application Support/GeminiCli",
    win32: "C:\\ProgramData\\gemini-cli",
  },
  systemVariables: {
    defaults: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    settings: "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
  },
};

export const trustForm: TrustForm = { family, variable: "GEMINI_CLI_TRUSTED_FOLDERS_PATH", isUsual: true };
