import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

/** Which folder Node keeps compiled code in, after the call in a process of its own: it holds for the whole process. */
function folderUsed(home: string, env: Record<string, string> = {}): string | undefined {
  const file = pathToFileURL(join(process.cwd(), "src/surfaces/cli/compiled-code.ts")).href;
  const script = `
    import { getCompileCacheDir } from "node:module";
    import { useCompiledCode } from ${JSON.stringify(file)};
    useCompiledCode(process.env);
    console.log(JSON.stringify(getCompileCacheDir() ?? null));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: process.env.PATH, HOME: home, ...env },
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) ?? undefined;
}

describe("compiled code", () => {
  let home: string;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-compiled-")));
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("is not taken from a folder that others can write to", () => {
    const folder = folderUsed(home);
    if (folder === undefined) throw new Error("It is not used at all.");
    const all = join(home, ".cache/toolgate/start");
    const [version = ""] = readdirSync(all);
    for (const open of [all, join(all, version)]) {
      chmodSync(open, 0o777);
      expect(folderUsed(home)).toBeUndefined();
      chmodSync(open, 0o700);
    }
    expect(folderUsed(home)).toBe(folder);
  });

  it("stays where somebody has said that it shall be, and away where nothing can be written", () => {
    const own = join(home, "own");
    expect(folderUsed(home, { NODE_COMPILE_CACHE: own })).toContain(own);
    expect(folderUsed(home, { NODE_DISABLE_COMPILE_CACHE: "1" })).toBeUndefined();
    expect(existsSync(join(home, ".cache"))).toBe(false);
    expect(folderUsed("/dev/null/nowhere")).toBeUndefined();
  });
});
