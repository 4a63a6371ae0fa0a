/** The Claude Agent SDK that the checks run: which version, where it is installed, how it is found. It brings no client: it starts ours. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const agentSdk = { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325" };

const folder = resolve(import.meta.dirname, "../../.agents/agent-sdk");
const home = join(folder, "node_modules", agentSdk.name);

/** The file to import, if the right version of it is there. */
export function findAgentSdk(): string | undefined {
  const about = join(home, "package.json");
  if (!existsSync(about)) return undefined;
  const { version, main } = JSON.parse(readFileSync(about, "utf8")) as { version: string; main: string };
  return version === agentSdk.version ? join(home, main) : undefined;
}

/** Downloads it unless it is there. `problem`: what npm said. */
export function installAgentSdk(): { readonly program: string } | { readonly problem: string } {
  const present = findAgentSdk();
  if (present !== undefined) return { program: present };
  try {
    const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional"];
    execFileSync("npm", ["install", ...quiet, "--prefix", folder, `${agentSdk.name}@${agentSdk.version}`], {
      encoding: "utf8",
      stdio: "pipe",
      timeout: 300_000,
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
  const installed = findAgentSdk();
  return installed === undefined ? { problem: "npm installed another version" } : { program: installed };
}
