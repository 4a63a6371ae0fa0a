/** Where Qwen Code keeps its files. */
import { join, resolve } from "node:path";
import type { TrustForm } from "../gemini-family/folder-trust.ts";
import type { Family } from "../gemini-family/settings-files.ts";

export const family: Family = {
  title: "Qwen Code",
  folder: ".qwen",
  configDir: ({ home, env }) => {
    const said = env.QWEN_HOME || "~/.qwen";
    return said === "~" || said.startsWith("~/") ? join(home, said.slice(1)) : resolve(home, said);
  },
  systemFolder: {
    linux: "/etc/qwen-code",
    darwin: "/Library/Application Support/QwenCode",
    win32: "C:\\ProgramData\\qwen-code",
  },
  systemVariables: {
    defaults: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
    settings: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
  },
};

export const trustForm: TrustForm = { family, variable: "QWEN_CODE_TRUSTED_FOLDERS_PATH", isUsual: false };
