import { describe, expect, it } from "vitest";
import { isShell, readRoles, rolesOf } from "../../../src/core/input/input-roles.ts";
import type { CommandJudgement } from "../../../src/core/ports/command.ts";
import { subjectsOf } from "../../../src/rules/subjects.ts";
import { judgeOnPaper, locateOnPaper } from "../paper-gate.ts";

const place = { cwd: "/workspace", roots: ["/workspace"] };
const judges = { judgeCommand: judgeOnPaper, locatePath: locateOnPaper };

function subjects(input: unknown, parts: object = {}, judged = judges) {
  const tool = {
    permission: "read" as const,
    capabilities: [],
    roles: rolesOf({}),
    isShell: isShell(parts),
    ...parts,
  };
  return subjectsOf(tool, readRoles(tool.roles, input), { ...judged, place }).map(
    ({ command: _, path, ...rest }) => ({
      ...rest,
      ...(path && { path: path === "unknown" ? path : path.absolute }),
    }),
  );
}

describe("the parts of a call", () => {
  it.each([
    ["file:///etc/passwd", "/etc/passwd"],
    ["file:///workspace/a%20b", "/workspace/a b"],
    ["file:///workspace/../etc/passwd", "unknown"],
    ["file://host/etc/passwd", "unknown"],
    ["file:/etc/passwd", "unknown"],
    [" FI\nLE:///etc/passwd?a", "unknown"],
  ])("are the files that its URLs name: %j", (uri, path) => {
    expect(subjects({ uri })).toEqual([{ risk: "read", network: true, label: uri, url: uri, path }]);
    expect(subjects({ args: { url: uri } })[0]?.path).toBe(path);
    // What is called a path may be taken for a URI.
    expect(subjects({ path: uri }).map((one) => one.path)).toContain(path);
    // A tool that only fetches opens none.
    expect(subjects({ uri }, { capabilities: ["net:fetch"] })[0]?.path).toBeUndefined();
  });

  it("are not understood where there is no judge, or the judge says so without a part", () => {
    expect(
      subjects({ command: "ls" }, aShell, { ...judges, judgeCommand: undefined as never }),
    ).toMatchObject([{ risk: "opaque" }]);
    const unsure: CommandJudgement = {
      risk: "opaque",
      commands: [],
      redirects: [],
      network: false,
      opaque: [],
    };
    expect(subjects({ command: "ls" }, aShell, { ...judges, judgeCommand: () => unsure })).toMatchObject([
      { risk: "opaque", label: "ls" },
    ]);
  });

  const aShell = { permission: "execute", capabilities: ["shell:run"] };

  it.each([
    ["src/*.ts", "/workspace/src"],
    ["*.ts", "/workspace"],
    ["/etc/p*", "/etc"],
    ["../x/{a,b}", "/x"],
    ["/*", "/"],
  ])("take the glob %s as the folder it starts in", (glob, folder) => {
    const judged = judgeOnPaper("ls", place);
    const commands = judged.commands.map((command) => ({ ...command, globs: [glob] }));
    const judgeCommand = () => ({ ...judged, commands });
    expect(subjects({ command: "ls" }, aShell, { ...judges, judgeCommand })[0]?.path).toBe(folder);
  });

  it.each([
    ["paths", { paths: many("a/") }, {}],
    ["commands", { commands: many("cat a/") }, aShell],
    ["commands of one line", { command: many("cat a/").join(" && ") }, aShell],
    ["paths of one command", { command: `cat ${many("a/").join(" ")}` }, aShell],
    ["redirects", { command: many("ls > a/").join(" && ") }, aShell],
    ["URLs", { urls: many("https://a.example/") }, {}],
  ])("end after 256 %s: the rest is not looked at, and not understood", (_what, input, parts) => {
    let located = 0;
    const counting: typeof locateOnPaper = (...given) => {
      located++;
      return locateOnPaper(...given);
    };
    const found = subjects(input, parts, { ...judges, locatePath: counting });
    expect(found).toHaveLength(257);
    expect(found.at(-1)).toMatchObject({
      risk: "opaque",
      path: "unknown",
      opaque: expect.stringContaining("256"),
    });
    expect(located).toBeLessThanOrEqual(257);
  });

  it("are all judged up to 256", () => {
    expect(subjects({ paths: many("a/").slice(0, 256) }).every(({ risk }) => risk === "read")).toBe(true);
  });
});

function many(text: string): string[] {
  return Array.from({ length: 5_000 }, (_, index) => `${text}${index}`);
}

describe("what lies below a folder that a command reads as a whole", () => {
  const found = ["/workspace/.env", "/workspace/plan.txt", "/other/.env", "/workspace/state"];
  const protectedNames = {
    judgeCommand: (): CommandJudgement => ({
      ...judgeOnPaper("grep", { cwd: "/workspace" }),
      commands: judgeOnPaper("grep", { cwd: "/workspace" }).commands.map((command) => ({
        ...command,
        reads: [],
        trees: [{ path: ".", access }],
      })),
    }),
    locatePath: (path: string) => ({
      absolute: path,
      inside: path.startsWith("/workspace"),
      ...(path.endsWith(".env") && { protected: "a secret" }),
      ...(path.endsWith("state") && { protected: "ours", own: true as const }),
    }),
    findBelow: () => ({ paths: found, complete }),
  };
  let access: "read" | "write" = "read";
  let complete = true;
  const paths = (parts: object) =>
    subjects({ command: "grep" }, { capabilities: ["shell:run"], ...parts }, protectedNames).flatMap(
      ({ path }) => path ?? [],
    );

  it("is part of the call, unless it is a secret of the workspace and the tool's sandbox hides those", () => {
    expect(paths({})).toEqual(found);
    expect(paths({ hidesSecrets: () => false })).toEqual(found);
    expect(paths({ hidesSecrets: () => true })).toEqual(found.slice(1));
  });

  it("is part of the call where it is written, or where not all of it is known", () => {
    access = "write";
    expect(paths({ hidesSecrets: () => true })).toEqual(found);
    access = "read";
    complete = false;
    expect(paths({ hidesSecrets: () => true })).toContain("unknown");
  });
});
