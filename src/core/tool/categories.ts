/** Categories switch groups of tools on and off and cap what they may do, at run time. */
import { ToolgateError } from "../call/errors.ts";
import { shownName } from "../text/visible.ts";
import { isWithin, type Permission, permissions } from "./permission.ts";
import { closestNames } from "./tool-name.ts";

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly ceiling: Permission;
}

/** Who changes a category, for the record. */
export interface ChangedBy {
  readonly caller: string;
  readonly surface: string;
}

export interface CategoryChange {
  readonly before: Category | undefined;
  readonly after: Category;
  readonly by: ChangedBy | undefined;
}

export interface CategoryChoice {
  /**
   * True: every category on, every ceiling as high as it goes; policies still decide on each call. False: every
   * category off but those that are named.
   */
  readonly enableAll?: boolean;
  /** Switched on besides those that are on already; union names such as `development` are allowed. */
  readonly enabledCategories?: readonly string[];
  readonly disabledCategories?: readonly string[];
  /** Last of all: a ceiling that is named holds, whatever a union such as `development` means by itself. */
  readonly ceilings?: Readonly<Record<string, Permission>>;
}

const shipped = (enabled: boolean) => (id: string, name: string, ceiling: Permission, description: string) =>
  Object.freeze({ id, name, description, enabled, ceiling });
const on = shipped(true);
const off = shipped(false);

export const shippedCategories: readonly Category[] = [
  on("filesystem", "Files", "read", "Read and list files of the workspace."),
  on("search", "Search", "read", "Search the workspace by text, name or meaning."),
  on("workspace", "Workspace", "read", "Facts about the workspace."),
  on("git", "Git", "read", "Read the repository; its writing tools need the ceiling raised."),
  off("editing", "Editing", "write", "Create, change, move and delete files."),
  off("shell", "Shell", "execute", "Run commands."),
  off("web", "Web", "read", "Fetch pages and search the web."),
  off("browser", "Browser", "execute", "Use pages of the web in a real browser."),
  on("code", "Code", "read", "Definitions and diagnostics of source code."),
  on("task", "Task", "read", "The agent's own plan, questions and hand-offs."),
  on("mcp", "MCP", "execute", "Tools and resources of upstream MCP servers."),
  off("customer_support", "Customer support", "write", "Users, tenants and tickets."),
  on("custom", "Custom", "execute", "Tools that a program registers without naming a category."),
];

/** One name for several changes: what a developer means by switching on `development`. */
const unions: ReadonlyMap<string, readonly { readonly id: string; readonly ceiling: Permission }[]> = new Map(
  [
    [
      "development",
      [
        { id: "editing", ceiling: "write" },
        { id: "shell", ceiling: "execute" },
        { id: "git", ceiling: "write" },
      ],
    ],
  ],
);

export const unionNames: readonly string[] = [...unions.keys()];

/** The categories that a name stands for: itself, or the members of a union. */
export function categoriesNamed(name: string): readonly string[] {
  return unions.get(name)?.map(({ id }) => id) ?? [name];
}

export class Categories {
  readonly #byId = new Map<string, Category>();
  readonly #onChange: (change: CategoryChange) => void;
  /** Changes with every change, so that others may remember what they found out. */
  version = 0;

  constructor(onChange: (change: CategoryChange) => void, extra: readonly Category[] = []) {
    this.#onChange = onChange;
    for (const category of shippedCategories) this.#byId.set(category.id, category);
    for (const category of extra) this.define(category);
  }

  define(category: Category): void {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(category.id)) {
      throw new ToolgateError(
        `Category id ${JSON.stringify(category.id)} must be lower-case letters, digits, "_" or "-".`,
      );
    }
    if (!permissions.includes(category.ceiling)) {
      throw new ToolgateError(
        `Category "${category.id}" needs a ceiling of ${permissions.join(", ")}, not ${JSON.stringify(category.ceiling)}.`,
      );
    }
    if (this.#byId.has(category.id) || unions.has(category.id)) {
      throw new ToolgateError(
        `Category "${category.id}" exists already; change it with enable, disable or setCeiling.`,
      );
    }
    this.#set(Object.freeze({ ...category }));
  }

  get(id: string): Category | undefined {
    return this.#byId.get(id);
  }

  list(): Category[] {
    return [...this.#byId.values()];
  }

  enable(name: string, by?: ChangedBy): void {
    const union = unions.get(name);
    if (union === undefined) this.#set({ ...this.#need(name), enabled: true }, by);
    for (const { id, ceiling } of union ?? []) {
      const category = this.#need(id);
      const highest = isWithin(ceiling, category.ceiling) ? category.ceiling : ceiling;
      this.#set({ ...category, enabled: true, ceiling: highest }, by);
    }
  }

  disable(name: string, by?: ChangedBy): void {
    const union = unions.get(name);
    if (union === undefined) this.#set({ ...this.#need(name), enabled: false }, by);
    for (const { id } of union ?? []) {
      // Switching `development` off takes git back to reading instead of hiding `git.status`.
      if (id === "git") this.#set({ ...this.#need(id), ceiling: "read" }, by);
      else this.#set({ ...this.#need(id), enabled: false }, by);
    }
  }

  /** True: every category on, every ceiling as high as it goes. False: every category off. */
  enableAll(enabled: boolean, by?: ChangedBy): void {
    if (typeof enabled !== "boolean") throw new ToolgateError("enableAll takes true or false.");
    for (const category of this.list())
      this.#set({ ...category, enabled, ...(enabled && { ceiling: "execute" as const }) }, by);
  }

  setCeiling(id: string, ceiling: Permission, by?: ChangedBy): void {
    this.#set({ ...this.#need(id), ceiling }, by);
  }

  choose(choice: CategoryChoice): void {
    if (choice.enableAll !== undefined) this.enableAll(choice.enableAll);
    for (const name of choice.enabledCategories ?? []) this.enable(name);
    for (const name of choice.disabledCategories ?? []) this.disable(name);
    for (const [id, ceiling] of Object.entries(choice.ceilings ?? {})) this.setCeiling(id, ceiling);
  }

  #need(id: string): Category {
    const category = this.#byId.get(id);
    if (category !== undefined) return category;
    const known = [...this.#byId.keys(), ...(unions.has(id) ? [] : unions.keys())];
    const close = closestNames(id, known, 1)[0];
    throw new ToolgateError(
      `There is no category ${shownName(id)}${close === undefined ? "." : `; did you mean "${close}"?`} Known: ${known.join(", ")}.`,
    );
  }

  #set(category: Category, by?: ChangedBy): void {
    const before = this.#byId.get(category.id);
    const after = Object.freeze(category);
    this.#byId.set(category.id, after);
    this.version++;
    this.#onChange({ before, after, by });
  }
}
