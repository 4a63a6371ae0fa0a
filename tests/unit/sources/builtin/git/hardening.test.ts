import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixedSettings, onlyNamedRepositories } from "../../../../../src/sources/builtin/git/hardening.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { describeGit, git } from "./git-gate.ts";

describeGit("what git is told with every command", () => {
  it.each([
    ["everything switched off", fixedSettings],
    ["the repository's own hooks left on", onlyNamedRepositories],
  ])("makes it refuse a folder that merely looks like a repository, with %s", (_, settings) => {
    const folder = temporaryFolder("bare");
    for (const name of ["objects", "refs"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
    expect(git(folder, "rev-parse", "--is-bare-repository")).toBe("true\n");
    const options = settings.flatMap((setting) => ["-c", setting]);
    expect(() => git(folder, ...options, "rev-parse", "--is-bare-repository")).toThrow(/bare repository/);
  });
});
