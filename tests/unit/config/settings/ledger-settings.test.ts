import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject, projectSources } from "../../../../src/config/find-project.ts";
import { adminSources, loadConfig } from "../../../../src/config/load-config.ts";
import type { LoadedConfig } from "../../../../src/config/loaded-config.ts";
import { addTrust } from "../../../../src/config/trust/trust.ts";
import { createWorld, type World } from "../world.ts";

function load({ folders, project, home }: World): Promise<LoadedConfig> {
  const user = {
    file: join(folders.config, "config.yaml"),
    origin: "user",
    tier: "user",
    kind: "config",
  } as const;
  const sources = [
    ...adminSources(folders.admin),
    user,
    ...projectSources(findProject(project, home).folder),
  ];
  return loadConfig(sources, folders);
}

const anchored = (anchors: string) => `ledger: { anchors: ${anchors} }\n`;

describe("anchors in the configuration", () => {
  it("are those of the user and of the administrator together: neither takes the other's away", async () => {
    const world = createWorld();
    world.write(
      join(world.folders.admin, "a.yaml"),
      anchored("[{ file: /srv/anchor.jsonl }, { syslog: true }]"),
    );
    world.write(
      join(world.folders.config, "config.yaml"),
      anchored(
        "[{ file: ~/mine.jsonl }, { file: beside.jsonl }, { syslog: true }, { url: 'https://a.example/x' }]",
      ),
    );
    const { settings, problems } = await load(world);
    expect(problems).toEqual([]);
    expect(settings.ledger?.anchors).toEqual([
      { file: "/srv/anchor.jsonl" },
      { syslog: true },
      { file: join(world.home, "mine.jsonl") },
      { file: join(world.folders.config, "beside.jsonl") },
      { url: "https://a.example/x" },
    ]);
  });

  it("are never a project's business, trusted or not", async () => {
    const world = createWorld();
    const text = `ledger: { keep_days: 9, anchors: [{ url: 'https://stranger.example' }] }\n`;
    const file = world.write("toolgate.yaml", text);
    expect((await load(world)).settings.ledger).toBeUndefined();
    addTrust(world.folders.state, [{ path: file, sha256: createHash("sha256").update(text).digest("hex") }]);
    const { settings, notes } = await load(world);
    expect(settings.ledger).toEqual({ keepDays: 9 });
    expect(notes.join()).toContain('"ledger.anchors" is ignored');
  });

  it.each([
    ["[{}]", "exactly one of"],
    ["[{ file: /a, syslog: true }]", "exactly one of"],
    ["[{ syslog: false }]", "syslog is true"],
    ["[{ url: 'file:///etc/passwd' }]", "begins with https://"],
    ["[{ url: nonsense }]", "begins with https://"],
    ["[{ file: /a, allow_private: true }]", "goes with url"],
    ["[{ path: /a }]", "unknown key"],
  ])("are refused as %s, with the reason", async (anchors, why) => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), anchored(anchors));
    const { problems } = await load(world);
    expect(problems.map(({ message }) => message).join("\n")).toContain(why);
  });
});
