import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld } from "../world.ts";

const anchored = (anchors: string) => `ledger: { anchors: ${anchors} }\n`;

describe("anchors in the configuration", () => {
  it("are those of the user and of the administrator together: neither takes the other's away", async () => {
    const mine = "{ file: ~/mine.jsonl }, { file: beside.jsonl }, { syslog: true }";
    const world = createWorld({
      admin: anchored("[{ file: /srv/anchor.jsonl }, { syslog: true }]"),
      user: anchored(`[${mine}, { url: 'https://a.example/x' }]`),
    });
    const { settings, problems } = await world.load();
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
    expect((await world.load()).settings.ledger).toBeUndefined();
    world.trust(file);
    const { settings, notes } = await world.load();
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
    const { problems } = await createWorld({ user: anchored(anchors) }).load();
    expect(problems.map(({ message }) => message).join("\n")).toContain(why);
  });
});
