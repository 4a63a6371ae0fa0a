/** The Claude Agent SDK that the checks run: which version, and how it is found. It brings no client: it starts ours. */
import { join } from "node:path";
import { agentFolder, findPackage, type Installed, installPackage } from "./npm-package.ts";

export const agentSdk = { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325" };

const folder = agentFolder("agent-sdk");

/** The file to import, if the right version of it is there. */
export function findAgentSdk(): string | undefined {
  const found = findPackage<{ readonly main: string }>(folder, agentSdk);
  return found && join(found.home, found.about.main);
}

export function installAgentSdk(): Installed {
  return installPackage(folder, agentSdk, findAgentSdk, "--omit=optional");
}
