import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld } from "./world.ts";

const user = `sessions:
  roots: [~/work, beside]
  idle: 5m
  max_running: 3
  default_runner: mine
  runners:
    mine: { type: chat, api: openai, key_file: key, max_tokens: 9 }
`;

describe("the section sessions", () => {
  it("is taken from the user's file, with folders beside it and below the home folder", async () => {
    const { open, home, folders } = createWorld({ user });
    const { settings, problems } = await open();
    expect(problems).toEqual([]);
    const keyFile = join(folders.config, "key");
    expect(settings.sessions).toEqual({
      roots: [join(home, "work"), join(folders.config, "beside")],
      idle: 300_000,
      maxRunning: 3,
      defaultRunner: "mine",
      runners: { mine: { type: "chat", api: "openai", keyFile, maxTokens: 9 } },
    });
  });

  it("is not taken from a project's file", async () => {
    const project = "sessions: { roots: [/], runners: { theirs: { type: acp, command: [sh] } } }\n";
    const { settings, notes, ignored } = await createWorld({ user, project }).open();
    expect(settings.sessions?.roots).not.toContain("/");
    expect(Object.keys(settings.sessions?.runners ?? {})).toEqual(["mine"]);
    expect(JSON.stringify([notes, ignored])).toContain("sessions");
  });
});
