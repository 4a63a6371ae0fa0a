/** Qwen Code as `doctor` tries it: with the person's settings in a home of its own, as it keeps every session. */
import { join } from "node:path";
import type { AgentClient } from "../agent-client.ts";
import { noServers, trialFiles, trialHome, trialVariables } from "../gemini-family/trial-settings.ts";
import { family } from "./places.ts";

export const client: AgentClient = {
  program: "qwen",
  inherits: ["QWEN_HOME"],
  ownDiagnosis: "/hooks in a session",
  quiet: {
    QWEN_CODE_NO_RELAUNCH: "true",
    QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    QWEN_USAGE_STATISTICS_ENABLED: "false",
    QWEN_TELEMETRY_ENABLED: "false",
  },
  trialCalls: (folder, word) => [
    {
      tool: "run_shell_command",
      field: "command",
      input: { command: `true ${word}`, is_background: false },
    },
    { tool: "read_file", field: "file_path", input: { file_path: join(folder, word) } },
  ],
  session(trial) {
    const files = trialFiles(family, trial, {
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      tools: { sandbox: false },
    });
    const url = `${trial.modelUrl}/v1`;
    return {
      args: [
        ...["--auth-type", "openai", "--openai-api-key", "toolgate-doctor", "--openai-base-url", url],
        ...["--model", "toolgate-doctor", "--approval-mode", "yolo", "--extensions", "none", ...noServers],
        ...["--prompt", trial.prompt],
      ],
      env: {
        ...trial.env,
        ...trialVariables(family, trial),
        QWEN_HOME: join(trial.folder, trialHome, family.folder),
        OPENAI_API_KEY: "toolgate-doctor",
        OPENAI_BASE_URL: url,
        OPENAI_MODEL: "toolgate-doctor",
        NO_PROXY: "127.0.0.1",
        no_proxy: "127.0.0.1",
      },
      files,
    };
  },
};
