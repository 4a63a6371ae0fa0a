/** One gate for each project: what lies inside the workspace depends on it. */

const maxProjects = 64;

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
