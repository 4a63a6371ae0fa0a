import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chooseHookCommand } from "../../../../src/agents/set-up/hook-command.ts";
import { createWorld, type World } from "../claude-code/world.ts";

const inProject = { below: "CLAUDE_PROJECT_DIR", path: "node_modules/toolgate/dist/hook/hook.cjs" };
const ofProject = ({ project: projectDir }: World, bundle: string) =>
  chooseHookCommand({ scope: "project", projectDir, bundle, execPath: "/opt/node" }, "CLAUDE_PROJECT_DIR");

describe("what the client is told to start", () => {
  it("is named in full for one person", () => {
    const path = "/opt/toolgate/dist/hook/hook.cjs";
    const request = { projectDir: "/p", bundle: path, execPath: "/opt/node" };
    for (const scope of ["user", "local"] as const)
      expect(chooseHookCommand({ ...request, scope })).toEqual({ program: { path }, notes: [] });
    const world = createWorld();
    const chosen = { program: { path: world.write("toolgate/hook.sh", "") }, node: "/opt/node" };
    const bundle = world.write("toolgate/hook.cjs", "");
    const withScript = { ...request, bundle, scope: "user" } as const;
    expect(chooseHookCommand(withScript)).toEqual({ ...chosen, notes: [] });
    const alone = chooseHookCommand({ ...withScript, withoutScript: true });
    expect(alone).toMatchObject({ ...chosen, isAlone: true });
  });

  it("means the same on every machine of a team, if toolgate is a part of the project", () => {
    const world = createWorld();
    const bundle = world.write("project/node_modules/toolgate/dist/hook/hook.cjs", "");
    expect(ofProject(world, bundle)).toEqual({ program: inProject, notes: [] });
  });

  it("is named by node_modules, not by the folder with a version in it that a link leads to", () => {
    const world = createWorld();
    const bundle = world.write(
      "project/node_modules/.pnpm/toolgate@0.1.0/node_modules/toolgate/dist/hook/hook.cjs",
      "",
    );
    symlinkSync(".pnpm/toolgate@0.1.0/node_modules/toolgate", world.path("project/node_modules/toolgate"));
    expect(ofProject(world, bundle).program).toEqual(inProject);
  });

  it("comes with a warning when a project's settings must name a file of this machine", () => {
    const world = createWorld();
    const bundle = world.write("elsewhere/hook.cjs", "");
    const notes = [expect.stringContaining("this machine")];
    expect(ofProject(world, bundle)).toMatchObject({ program: { path: bundle }, notes });
  });
});
