import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectEnd, refuses, says } from "./expect-end.ts";
import { settings, useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();
const { install, uninstall } = world;
const copies = "home/.local/share/toolgate/hook";

describe("toolgate uninstall claude-code", () => {
  it.for([
    '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
    '{\n    "model": "opus"\n}',
    '{\r\n  "model": "opus"\r\n}\r\n',
    "",
    " \n",
    "{}",
    '\ufeff{"model":"opus","hooks":{}}',
    '{ "model" : "opus",\n\n\t"hooks" : {"PreToolUse":[ {"matcher":"Bash", "hooks":[]} ],"Stop":[]} , "a":[1,\n2]}',
  ])("leaves the file byte for byte as it was before the installation: %j", async (text) => {
    world.write(settings, text);
    await install();
    expect(world.text()).not.toBe(text);
    await expectEnd(uninstall(), { out: "Took the hooks out of ~/.claude/settings.json", err: "" });
    expect(world.text()).toBe(text);
  });

  it.for([{}, { scope: "local" }, { scope: "project" }] as const)(
    "leaves no byte where there was nothing: %j",
    async (options) => {
      const before = world.names();
      await install(options);
      // Another version, while sessions with the old one run.
      world.write("toolgate/dist/hook/main.cjs", "newer");
      await install(options);
      await uninstall(options);
      rmSync(world.path("toolgate"), { recursive: true });
      expect(world.names()).toEqual(before);
    },
  );

  it("keeps what others have put into the file, as they have written it", async () => {
    world.write(settings, '{"model":   "opus"}');
    await install();
    world.write(settings, world.text().replace('"opus"', '"sonnet", "x": [1,  2]'));
    await uninstall();
    expect(world.text().replace(/\s+\}$/, "}")).toBe('{"model":   "sonnet", "x": [1,  2]}');
  });

  it("leaves a group in place that somebody has put a hook of their own into", async () => {
    await install();
    const { hooks } = world.json();
    const mine = { type: "command", command: "./audit.sh" };
    hooks.PreToolUse[0].hooks.push(mine);
    world.write(settings, { hooks });
    await uninstall();
    expect(world.json()).toEqual({ hooks: { PreToolUse: [{ matcher: "*", hooks: [mine] }] } });
  });

  it("leaves copies alone that another file still names, known or not", async () => {
    await install({ scope: "local" });
    await install();
    const [copy = ""] = world.names(copies);
    await uninstall({ scope: "local" });
    expect(world.exists(`${copies}/${copy}`)).toBe(true);
    rmSync(world.path(copies, "installations.json"));
    await uninstall({ scope: "local" });
    expect(world.exists(`${copies}/${copy}`)).toBe(true);
    await uninstall();
    expect(world.exists("home/.local/share/toolgate")).toBe(false);
  });

  it("touches nothing where there is nothing of ours", async () => {
    await says(uninstall(), "Nothing of toolgate");
    expect(world.exists("home/.claude")).toBe(false);
    const mine = { type: "command", command: "./my-hook.cjs claude-code" };
    world.write(settings, { hooks: { PreToolUse: [{ hooks: [mine] }] } });
    const before = world.identity();
    await says(uninstall());
    expect(world.identity()).toBe(before);
  });

  it("takes out hooks that another version of toolgate put there", async () => {
    await install();
    world.write(settings, world.text().replaceAll(world.path("home"), "/gone/toolgate-0.0.1"));
    await uninstall();
    // Installed by us into no file, and nothing else is in it.
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("says where hooks remain: in other settings, in the plugin", async () => {
    await install({ scope: "project" });
    world.addPlugin("toolgate");
    const there = `still in ${world.path("project/.claude/settings.json")}`;
    await says(uninstall(), there, "claude plugin uninstall toolgate@market");
    await says(uninstall({ scope: "project" }), "Took the hooks out of .claude/settings.json");
  });

  it("only says what it would do with --dry-run", async () => {
    await install();
    const before = world.text();
    await says(uninstall({ dryRun: true }), "Would take the hooks out");
    expect(world.text()).toBe(before);
  });

  it("refuses settings that it cannot read, and agents that it does not know", async () => {
    world.write(settings, "{ broken");
    await refuses(uninstall(), "not valid JSON");
    await refuses(uninstall({ agents: ["vi"] }), "Known agents: claude-code");
    const { out } = await uninstall({ agents: ["vi"], json: true });
    expect(JSON.parse(out)).toEqual([{ ok: false, message: expect.stringContaining("Unknown agent") }]);
  });
});
