/** The search tools of agents open files that no field of the call names. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";
import { approve, deny as denying, folderWith, put, reading } from "./command-policies.ts";

const root = folderWith(
  ..."conf/.env conf/a.ini src/a.ts clean/deep/b.ts prod/data.csv .git/HEAD".split(" "),
  ..."app/.env app/local/.env app/a.ts let-in/.env in-folder/local/.env".split(" "),
);
/** Without a line that lets a hidden file in. */
const plain = folderWith(".env", "conf/.env", "src/a.ts", "prod/data.csv");
put(root, "app/.gitignore", "# local\n.env\n");
put(root, "let-in/.gitignore", ".env\n!.env\n");
put(root, "in-folder/.gitignore", "local/\n");

const denied = (value: string) => denying({ type: "path", operator: "matches", value }, { tools: "*" });
const deny = denied("[.]env$|(^|/)prod/");

async function verdict(tool: string, input: object, policies: readonly Policy[] = [deny], cwd = root) {
  const gate = await createGate({ roots: [cwd], policies });
  return (await gate.explain({ tool, input, cwd }, { as: "check" })).verdict;
}

describe("a search of an agent", () => {
  it.for<[string, object]>([
    ["Grep", { pattern: "x", path: "conf", glob: ".env" }],
    ["Grep", { pattern: "x", glob: "**/.env" }],
    ["Grep", { pattern: "x", glob: ".env" }],
    ["Grep", { pattern: "x", glob: "*.ts .e*" }],
    ["Grep", { pattern: "x", glob: "*.ts,.env" }],
    ["Grep", { pattern: "x", glob: "*.{ts,env}" }],
    ["Grep", { pattern: "x", glob: "{a,{b,.env}}" }],
    ["Grep", { pattern: "x", glob: ".[e]nv" }],
    ["Grep", { pattern: "x", glob: "conf/**" }],
    ["Grep", { pattern: "x", glob: "**" }],
    ["Grep", { pattern: "x", glob: ".ENV" }],
    ["Grep", { pattern: "x", path: "conf" }],
    ["Grep", { pattern: "x", path: join(root, "conf") }],
    ["Grep", { pattern: "x", path: "./src/../conf/" }],
    ["Grep", { pattern: "x", path: "app", glob: ".env" }],
    ["Grep", { pattern: "x", path: "app/local", glob: "*" }],
    ["Grep", { pattern: "x", path: "let-in" }],
    ["Grep", { pattern: "x", path: "in-folder/local" }],
    ["Grep", { pattern: "x", path: "prod" }],
    ["Grep", { pattern: "x", glob: "*.csv" }],
    ["Grep", { pattern: "x", path: "app", no_ignore: true }],
    ["grep_search", { query: "x", path: "app", includeIgnoredFiles: true }],
    [
      "search_file_content",
      { pattern: "x", path: "app", file_filtering_options: { respect_git_ignore: false } },
    ],
    ["grep", { pattern: "x", include: ".env" }],
    ["grep_search", { query: "x", include_pattern: ".env" }],
    ["grep_search", { query: "x", includePattern: "**/.env" }],
    ["search_files", { regex: "x", path: ".", file_pattern: ".env" }],
    ["search_file_content", { pattern: "x", dir_path: "conf" }],
    ["codebase_search", { query: "x", target_directories: ["src", "conf"] }],
  ])("does not get what a policy closes: %s %j", async ([tool, input]) => {
    // A glob in which only a part is read fits everything, and may reach the file.
    expect(await verdict(tool, input)).toBe("deny");
  });

  it.for<[string, object]>([
    ["Grep", { pattern: "x", glob: "*.ts" }],
    ["Grep", { pattern: "x", glob: "*.{ts,tsx}" }],
    ["Grep", { pattern: "x", glob: "src/**" }],
    ["Grep", { pattern: "x", path: "src" }],
    ["Grep", { pattern: "x", path: "clean" }],
    ["Grep", { pattern: "x", path: "app" }],
    ["Grep", { pattern: "x", path: "in-folder" }],
    ["Grep", { pattern: "x", path: "app", "-i": true, ignore_case: true, no_ignore: false }],
    ["Grep", { pattern: "x", path: "app", respect_git_ignore: true }],
    ["Grep", { pattern: "x", path: "conf/a.ini" }],
    ["Grep", { pattern: "x", path: "prod", glob: "*.ts" }],
    ["Glob", { pattern: "**/*.ts" }],
    // It tells names, and no line of the file.
    ["Glob", { pattern: "**/.env" }],
  ])("is not asked about where it opens nothing that is closed: %s %j", async ([tool, input]) => {
    expect(await verdict(tool, input)).toBe("abstain");
  });

  it("passes through a whole workspace with a hidden file that is closed", async () => {
    const env = denied("[.]env$");
    for (const input of [{ pattern: "x" }, { pattern: "x", path: "." }, { pattern: "x", path: plain }])
      expect(await verdict("Grep", input, [env], plain)).toBe("abstain");
    expect(await verdict("Grep", { pattern: "x" }, [deny], plain)).toBe("deny");
    expect(await verdict("Grep", { pattern: "x", glob: "!*.csv" }, [deny], plain)).toBe("abstain");
    expect(await verdict("Grep", { pattern: "x", hidden: "true" }, [env], plain)).toBe("deny");
    // Unless a line of an ignore file lets it in.
    expect(await verdict("Grep", { pattern: "x" }, [env])).toBe("deny");
  });

  it("gets no protected file from a policy that approves what only reads", async () => {
    const policy = approve(reading, { tools: "*" });
    const of = (input: object) => verdict("Grep", { pattern: "x", ...input }, [policy], plain);
    expect(await of({ path: "conf" })).toBe("deny");
    expect(await of({ glob: ".env" })).toBe("deny");
    expect(await of({})).toBe("allow");
    expect(await of({ path: "src" })).toBe("allow");
  });
});
