/** A process of a coding agent is known by its program or by the package whose file an interpreter runs. */
import { expect, it } from "vitest";
import { isAgentProcess } from "../../../src/agents/agent-processes.ts";

const isOne = (line: string) => isAgentProcess({ argv: line.split(" ") });

it.for([
  "claude -p go",
  "/opt/x/node_modules/@kilocode/cli-linux-x64/bin/kilo run",
  "/opt/x/node_modules/@factory/cli-linux-x64/bin/droid exec",
  "grok -p go",
  "kimi",
  "node /opt/x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js -p go",
  "node --no-warnings /opt/x/node_modules/@moonshot-ai/kimi-code/dist/main.mjs",
  "node /opt/x/node_modules/@xai-official/grok/bin/cli.js",
  "node /opt/x/node_modules/@google/gemini-cli/dist/index.js",
  "node /opt/x/node_modules/@qoder-ai/qodercli/bin/q.js",
])("knows %s", (line) => expect(isOne(line)).toBe(true));

it.for([
  "bash -c grok it",
  "node /home/ann/kimi.js/server.mjs",
  "vim pi",
  "node /opt/x/node_modules/pi-digits/index.js",
])("takes %s for what a person runs", (line) => expect(isOne(line)).toBe(false));
