/** Gemini CLI as `doctor` tries it: with the person's settings in a home of its own, as it keeps every session. */
import { join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import { noServers, trialFiles, trialHome, trialVariables } from "../gemini-family/trial-settings.ts";
import { family } from "./places.ts";

export const client: AgentClient = {
  program: "gemini",
  inherits: ["GEMINI_CLI_HOME"],
  ownDiagnosis: "/hooks in a session, and at gemini --debug",
  quiet: { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_TELEMETRY_ENABLED: "false" },
  trialCalls: (folder, word) => [
    { tool: "run_shell_command", field: "command", input: { command: `true ${word}` } },
    { tool: "read_file", field: "file_path", input: { file_path: join(folder, word) } },
  ],
  session(trial) {
    const files = trialFiles(family, trial, {
      security: { auth: { selectedType: "gemini-api-key" }, disableYoloMode: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      tools: { sandbox: false },
    });
    return {
      args: [
        ...["--model", "gemini-2.5-flash", "--approval-mode", "yolo", "--extensions", "none", ...noServers],
        ...["--prompt", trial.prompt],
      ],
      env: {
        ...trial.env,
        ...trialVariables(family, trial),
        GEMINI_CLI_HOME: join(trial.folder, trialHome),
        // `doctor` starts it only where the person trusts the folder, or the folder has nothing to act on.
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_API_KEY: "toolgate-doctor",
        GOOGLE_GEMINI_BASE_URL: trial.modelUrl,
        GOOGLE_GENAI_USE_VERTEXAI: "false",
        GOOGLE_GENAI_USE_GCA: "false",
        NO_PROXY: "127.0.0.1",
        no_proxy: "127.0.0.1",
      },
      files,
    };
  },
};
