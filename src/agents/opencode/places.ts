/** Where OpenCode and Kilo, which differ in names alone, have their files. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";

export interface OpencodeKind {
  readonly program: string;
  /** In the folder for settings; in a project with a dot before it. */
  readonly folder: string;
  /** Below it. */
  readonly plugins: string;
  /** The file of a project. */
  readonly config: string;
  /** So that nobody is asked. */
  readonly options: readonly string[];
  readonly quiet: Readonly<Record<string, string>>;
}

export function configFolder(
  { home, env: { XDG_CONFIG_HOME: config } }: AgentPlace,
  { folder }: Pick<OpencodeKind, "folder">,
): string {
  return join(config?.startsWith("/") ? config : join(home, ".config"), folder);
}
