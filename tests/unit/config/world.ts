/** A home, a project and an administrator's folder of their own for each test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Environment, Folders } from "../../../src/config/folders.ts";
import { findFolders } from "../../../src/config/folders.ts";

export interface World {
  readonly home: string;
  readonly project: string;
  readonly env: Environment;
  readonly folders: Folders;
  /** Writes a file, its folders too; a path that is not absolute is in the project. */
  write(file: string, text: string): string;
}

export function createWorld(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-config-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, "home");
  const project = join(home, "work", "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const env = { HOME: home };
  const folders = { ...findFolders(env, "linux"), admin: join(base, "etc") };
  return {
    home,
    project,
    env,
    folders,
    write(file, text) {
      const path = file.startsWith("/") ? file : join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
  };
}

/** A routes section with one route. */
export function oneRoute(name: string, more = "message: Do something else."): string {
  return `routes:\n  ${name}:\n    tool: Bash\n    pattern: 'forbidden-${name}'\n    ${more}\n`;
}
