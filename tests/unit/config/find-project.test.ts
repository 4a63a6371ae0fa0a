import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject, projectSources } from "../../../src/config/find-project.ts";
import { createWorld } from "./world.ts";

const folderOf = (folder: string, home: string) => findProject(folder, home).folder;

describe("the project of a folder", () => {
  it("is the nearest folder upwards that has rules", () => {
    const { home, project, write } = createWorld();
    write("toolgate.yaml", "");
    write("packages/a/src/x.ts", "");
    expect(folderOf(join(project, "packages/a/src"), home)).toBe(project);
    write("packages/a/.claude/tool-routes.yaml", "");
    expect(folderOf(join(project, "packages/a/src"), home)).toBe(join(project, "packages/a"));
  });

  it("is the repository when nobody has rules", () => {
    const { home, project, write } = createWorld();
    write("src/deep/x.ts", "");
    expect(folderOf(join(project, "src/deep"), home)).toBe(project);
  });

  it("is the folder itself outside of every repository", () => {
    const { home } = createWorld();
    const folder = join(home, "loose");
    mkdirSync(folder);
    expect(folderOf(folder, home)).toBe(folder);
  });

  it("never reaches above the repository or into the home folder", () => {
    const { home, project, write } = createWorld();
    write(join(home, "work", "toolgate.yaml"), "");
    write(join(home, "toolgate.yaml"), "");
    expect(folderOf(project, home)).toBe(project);
    const loose = join(home, "loose");
    mkdirSync(loose);
    expect(folderOf(loose, home)).toBe(loose);
  });

  it("depends on every path that is named as its input", () => {
    const { home, project, write } = createWorld();
    write("src/x.ts", "");
    const { inputs } = findProject(join(project, "src"), home);
    for (const name of ["src/toolgate.yaml", "toolgate.yaml", ".git"])
      expect(inputs).toContain(join(project, name));
    expect(inputs).toHaveLength(new Set(inputs).size);
  });

  it("has configuration and routes in files of both spellings", () => {
    expect(projectSources("/p").map(({ file, kind, tier }) => `${file} ${kind} ${tier}`)).toEqual([
      "/p/toolgate.yaml config project",
      "/p/toolgate.yml config project",
      "/p/.claude/tool-routes.yaml routes project",
      "/p/.claude/tool-routes.yml routes project",
    ]);
  });
});
