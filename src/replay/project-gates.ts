/** One gate for each project: what lies inside the workspace depends on it. */
import type { OpenConfig } from "../open/open-config.ts";
import { type OpenTools, openTools, type ToolsRequest } from "../open/open-tools.ts";

const maxProjects = 64;

/** Which tools there are. By default all that the configuration has. */
export type ReplayTools = Pick<ToolsRequest, "pluginFiles" | "upstreams">;

/** A gate that leaves no record, and in which every tool is on. */
export function openForReplay(
  config: OpenConfig,
  projectDir: string,
  tools: ReplayTools | undefined,
): Promise<OpenTools> {
  return openTools({ ...config, projectDir }, { ...tools, durable: false, enable: { enableAll: true } });
}

interface Closable {
  close(): Promise<void>;
}

export class ProjectGates<Opened extends Closable> {
  readonly #openProject: (folder: string) => Promise<Opened | undefined>;
  readonly #open = new Map<string, Promise<Opened | undefined>>();

  constructor(openProject: (folder: string) => Promise<Opened | undefined>) {
    this.#openProject = openProject;
  }

  /** Undefined: its rules cannot be used, or there are more projects than anybody has. */
  async of(folder: string): Promise<Opened | undefined> {
    let opening = this.#open.get(folder);
    if (opening === undefined) {
      if (this.#open.size >= maxProjects) return undefined;
      opening = this.#openProject(folder);
      this.#open.set(folder, opening);
    }
    return opening;
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening)?.close();
  }
}
