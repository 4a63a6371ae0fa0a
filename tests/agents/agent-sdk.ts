/** The Claude Agent SDK that the checks run: the file to import. It brings no client: it starts ours. */
import { npmProgram } from "./npm-package.ts";

export const agentSdk = npmProgram({
  agent: "claude-code",
  package: { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325" },
  file: "@anthropic-ai/claude-agent-sdk/sdk.mjs",
  npmOptions: ["--omit=optional"],
});
