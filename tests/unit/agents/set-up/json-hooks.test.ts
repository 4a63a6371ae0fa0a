import { describe, expect, it } from "vitest";
import { settingsForm } from "../../../../src/agents/claude-code/set-up/settings-part.ts";
import type { HookCommand } from "../../../../src/agents/set-up/hook-lines.ts";
import * as jsonHooks from "../../../../src/agents/set-up/json-hooks.ts";

const form = settingsForm("/settings.json");
const addHooks = (settings: unknown, hook: HookCommand) => jsonHooks.addHooks(settings, form, hook);
const removeHooks = (settings: unknown) => jsonHooks.removeHooks(settings, form);

const command: HookCommand = {
  program: { path: "/opt/toolgate/dist/hook/hook.sh" },
  node: "/usr/bin/node",
  key: "k1",
};
const foreign = { matcher: "Bash", hooks: [{ type: "command", command: "./audit.sh" }] };

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly unknown[] }[]>>;
}
function settingsOf(result: ReturnType<typeof addHooks>): Settings {
  if (!result.ok) throw new Error(result.message);
  return result.settings as unknown as Settings;
}
const added = (settings: unknown, using = command) => settingsOf(addHooks(settings, using));
const removed = (settings: unknown) => settingsOf(removeHooks(settings));

describe("our hooks in the settings", () => {
  it("block when they fail before a call, and only then", () => {
    const line = "/opt/toolgate/dist/hook/hook.sh claude-code /usr/bin/node";
    const ours = { type: "command", statusMessage: "toolgate" };
    const before = { ...ours, command: `${line} 300 k1 || exit 2`, timeout: 300, onFailure: "block" };
    const after = [{ matcher: "*", hooks: [{ ...ours, command: `${line} after:30 k1`, timeout: 30 }] }];
    const task = [{ hooks: [{ ...ours, command: `${line} task:30 k1`, timeout: 30 }] }];
    expect(added({})).toEqual({
      hooks: {
        PreToolUse: [{ matcher: "*", hooks: [before] }],
        PostToolUse: after,
        PostToolUseFailure: after,
        UserPromptSubmit: task,
      },
    });
  });

  it("come after what is there and leave it alone", () => {
    const settings = { model: "opus", hooks: { Stop: [foreign], PreToolUse: [foreign] }, env: { A: "1" } };
    const result = added(settings);
    expect(Object.keys(result)).toEqual(["model", "hooks", "env"]);
    expect(result.hooks).toMatchObject({ Stop: [foreign], PreToolUse: [foreign, { matcher: "*" }] });
    expect(settings.hooks.PreToolUse).toEqual([foreign]);
  });

  it("are the same after a second time", () => {
    const once = added({ hooks: { PreToolUse: [foreign] } });
    const { PreToolUse = [], ...rest } = once.hooks;
    const last = { hooks: { ...rest, PreToolUse: [...PreToolUse, foreign] } };
    expect(addHooks(once, command)).toMatchObject({ ok: true, isChanged: false, settings: once });
    expect(addHooks(last, command)).toMatchObject({ ok: true, isChanged: false });
  });

  it("are replaced in their place when toolgate moves", () => {
    const moved = { program: { path: "/elsewhere/dist/hook/hook.cjs" } };
    const { PreToolUse: old = [], ...others } = added({}).hooks;
    const twice = { hooks: { ...others, PreToolUse: [...old, foreign, ...old] } };
    const { PreToolUse = [], ...rest } = added({}, moved).hooks;
    expect(added(twice, moved)).toEqual({ hooks: { ...rest, PreToolUse: [...PreToolUse, foreign] } });
  });

  const withArgs = { type: "command", command: "node", args: ["/a/hook.cjs", "claude-code"] };
  it.for([
    {},
    { hooks: {} },
    { hooks: { PreToolUse: [] } },
    { hooks: { PreToolUse: [foreign], Stop: [] } },
    { permissions: { allow: ["Bash(ls:*)"] }, hooks: { PostToolUse: [foreign] }, model: "opus" },
    { hooks: { PreToolUse: [{ matcher: "x", hooks: [withArgs] }] } },
    { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "x", statusMessage: "toolgate" }] }] } },
  ])("are gone without a trace after uninstall: %j", (settings) => {
    const isEmpty =
      JSON.stringify(settings).includes("{}") || JSON.stringify(settings).includes('PreToolUse":[]}');
    expect(removed(added(settings))).toEqual(isEmpty ? {} : settings);
    expect(removeHooks(settings)).toMatchObject({ ok: true, isChanged: false });
  });

  it("are taken out of a group that somebody extended, which stays", () => {
    const ours = added({}).hooks.PreToolUse?.[0]?.hooks ?? [];
    const group = (hooks: readonly unknown[]) => ({ hooks: { PreToolUse: [{ matcher: "*", hooks }] } });
    expect(removed(group([...ours, ...foreign.hooks]))).toEqual(group(foreign.hooks));
  });

  it.for([
    [[], "must hold a JSON object"],
    [null, "must hold a JSON object"],
    [{ hooks: [] }, '"hooks" must be an object'],
    [{ hooks: "x" }, '"hooks" must be an object'],
    [{ hooks: { PreToolUse: {} } }, '"hooks.PreToolUse" must be a list'],
  ] as const)("are not put into settings of another form: %j", ([settings, message]) => {
    expect(addHooks(settings, command)).toEqual({ ok: false, message: expect.stringContaining(message) });
    expect(removeHooks(settings)).toEqual({ ok: false, message: expect.stringContaining(message) });
  });
});
