import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packagedBundle } from "../../../../src/agents/packaged-bundle.ts";
import { chooseHookCommand } from "../../../../src/agents/set-up/hook-command.ts";
import { createWorld } from "../claude-code/world.ts";

describe("what the client is told to start", () => {
  it("is named in full for one person", () => {
    const request = {
      projectDir: "/p",
      bundle: "/opt/toolgate/dist/hook/hook.cjs",
      execPath: "/opt/node/bin/node",
    };
    for (const scope of ["user", "local"] as const)
      expect(chooseHookCommand({ ...request, scope })).toEqual({
        program: { path: "/opt/toolgate/dist/hook/hook.cjs" },
        notes: [],
      });
    const world = createWorld();
    const script = world.write("toolgate/hook.sh", "");
    const bundle = world.write("toolgate/hook.cjs", "");
    const withScript = { ...request, bundle, scope: "user" } as const;
    expect(chooseHookCommand(withScript)).toEqual({
      program: { path: script },
      node: "/opt/node/bin/node",
      notes: [],
    });
    expect(chooseHookCommand({ ...withScript, withoutScript: true })).toMatchObject({
      program: { path: script },
      node: "/opt/node/bin/node",
      isAlone: true,
    });
  });

  it("means the same on every machine of a team, if toolgate is a part of the project", () => {
    const world = createWorld();
    const bundle = world.write("project/node_modules/toolgate/dist/hook/hook.cjs", "");
    expect(
      chooseHookCommand(
        { scope: "project", projectDir: world.project, bundle, execPath: "/opt/node" },
        "CLAUDE_PROJECT_DIR",
      ),
    ).toEqual({
      program: { below: "CLAUDE_PROJECT_DIR", path: "node_modules/toolgate/dist/hook/hook.cjs" },
      notes: [],
    });
  });

  it("is named by node_modules, not by the folder with a version in it that a link leads to", () => {
    const world = createWorld();
    const bundle = world.write(
      "project/node_modules/.pnpm/toolgate@0.1.0/node_modules/toolgate/dist/hook/hook.cjs",
      "",
    );
    symlinkSync(".pnpm/toolgate@0.1.0/node_modules/toolgate", world.path("project/node_modules/toolgate"));
    expect(
      chooseHookCommand(
        { scope: "project", projectDir: world.project, bundle, execPath: "/opt/node" },
        "CLAUDE_PROJECT_DIR",
      ).program,
    ).toEqual({ below: "CLAUDE_PROJECT_DIR", path: "node_modules/toolgate/dist/hook/hook.cjs" });
  });

  it("comes with a warning when a project's settings must name a file of this machine", () => {
    const world = createWorld();
    const bundle = world.write("elsewhere/hook.cjs", "");
    const chosen = chooseHookCommand({
      scope: "project",
      projectDir: world.project,
      bundle,
      execPath: "/opt/node",
    });
    expect(chosen).toMatchObject({
      program: { path: bundle },
      notes: [expect.stringContaining("this machine")],
    });
  });
  it("lies in this package", () => {
    expect(packagedBundle()).toMatch(/[\\/]dist[\\/]hook[\\/]hook\.cjs$/);
  });
});
