import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openConfig } from "../../../src/open/open-config.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "session-settings-")));
const project = join(home, "project");
const config = join(home, ".config", "toolgate");
mkdirSync(project, { recursive: true });
mkdirSync(config, { recursive: true });
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = { HOME: home };

describe("the section sessions", () => {
  it("is taken from the user's file, with folders beside it and below the home folder", async () => {
    writeFileSync(
      join(config, "config.yaml"),
      `sessions:
  roots: [~/work, beside]
  idle: 5m
  max_running: 3
  default_runner: mine
  runners:
    mine: { type: chat, api: openai, key_file: key, max_tokens: 9 }
`,
    );
    const { settings, problems } = await openConfig({ cwd: project, env });
    expect(problems).toEqual([]);
    expect(settings.sessions).toEqual({
      roots: [join(home, "work"), join(config, "beside")],
      idle: 300_000,
      maxRunning: 3,
      defaultRunner: "mine",
      runners: { mine: { type: "chat", api: "openai", keyFile: join(config, "key"), maxTokens: 9 } },
    });
  });

  it("is not taken from a project's file", async () => {
    writeFileSync(
      join(project, "toolgate.yaml"),
      "sessions: { roots: [/], runners: { theirs: { type: acp, command: [sh] } } }\n",
    );
    const loaded = await openConfig({ cwd: project, env });
    expect(loaded.settings.sessions?.roots).not.toContain("/");
    expect(Object.keys(loaded.settings.sessions?.runners ?? {})).toEqual(["mine"]);
    expect(JSON.stringify([loaded.notes, loaded.ignored])).toContain("sessions");
  });
});
