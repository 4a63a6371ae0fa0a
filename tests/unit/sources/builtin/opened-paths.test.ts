import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createGate, type GateOptions } from "../../../../src/index.ts";
import { createFileSpill } from "../../../../src/safe/files/spill.ts";
import { createBuiltinTools } from "../../../../src/sources/builtin/builtin-tools.ts";
import { rule } from "../rule.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { callsOf } from "./calls.ts";

interface Place {
  readonly outside: string;
  readonly root: string;
  readonly state: string;
}

async function world(options: (place: Place) => GateOptions) {
  const base = temporaryFolder("opened");
  const [root, outside, state] = [join(base, "root"), join(base, "outside"), join(base, "state")];
  for (const folder of [root, outside, state, join(outside, "below")]) mkdirSync(folder);
  writeFileSync(join(outside, "open.txt"), "opened\n");
  writeFileSync(join(outside, "closed.txt"), "closed\n");
  writeFileSync(join(outside, "below", "deep.txt"), "deep opened\n");
  writeFileSync(join(root, ".env"), "TOKEN=1\n");
  const { tools, close } = createBuiltinTools({ editing: { stateFolder: state } });
  const more = options({ outside, root, state });
  const gate = await createGate({ tools, roots: [root], enable: { enableAll: true }, ...more });
  onTestFinished(async () => {
    await gate.close();
    await close();
  });
  return { base, root, outside, state, gate, call: callsOf(gate).say };
}

const opens = (...paths: string[]) => rule("approve", "*", [["path", "inside", paths]]);
const ann = { name: "ann", ask: async () => ({ decision: "approve" as const }) };

describe("a path outside of the workspace that a policy opened", () => {
  it("can be read, also by a relative name or through a link", async () => {
    const { call, outside, root } = await world((place) => ({
      policies: [opens(join(place.outside, "open.txt"))],
    }));
    symlinkSync(join(outside, "open.txt"), join(root, "link"));
    for (const path of [join(outside, "open.txt"), "../outside/open.txt", "link"])
      expect(await call("fs.read", { path })).toContain("opened");
  });

  it("opens nothing beside it, above it or behind a link from it", async () => {
    const { call, outside } = await world((place) => ({
      policies: [opens(join(place.outside, "open.txt"), join(place.outside, "below"))],
    }));
    for (const path of [
      outside,
      join(outside, "closed.txt"),
      join(outside, "open.txt2"),
      "../outside/closed.txt",
    ])
      expect(await call("fs.read", { path })).toMatch(/^no_approver/);
    symlinkSync(join(outside, "closed.txt"), join(outside, "below", "out"));
    expect(await call("fs.read", { path: join(outside, "below", "out") })).toMatch(/^no_approver/);
    expect(
      await call("search.grep", { pattern: "opened|closed", path: join(outside, "below") }),
    ).not.toContain("closed");
  });

  it("is opened with what lies below it, for listing and searching", async () => {
    const { call, outside } = await world((place) => ({ policies: [opens(place.outside)] }));
    expect(await call("fs.list", { path: outside, recursive: true })).toContain("deep.txt");
    expect(await call("search.grep", { pattern: "opened", path: outside })).toContain("deep.txt");
    expect(await call("search.glob", { pattern: "**/*.txt", path: outside })).toContain("open.txt");
  });

  it("can be written, moved and removed by the editing tools, in one patch too", async () => {
    const { call, outside, root } = await world((place) => ({
      policies: [opens(place.outside, place.root)],
    }));
    const at = (name: string) => join(outside, name);
    expect(await call("fs.write", { path: at("new/deep/a.txt"), content: "one\n" })).toContain("a.txt");
    expect(
      await call("fs.edit", { path: at("new/deep/a.txt"), old_string: "one", new_string: "two" }),
    ).toContain("+two");
    const parts = [
      `*** Begin Patch\n*** Update File: ${at("open.txt")}\n@@\n-opened\n+patched`,
      `*** Add File: ${at("added.txt")}\n+added\n*** Add File: inside.txt\n+inside\n*** End Patch`,
    ];
    const patch = parts.join("\n");
    expect(await call("fs.apply_patch", { patch })).not.toMatch(/^[a-z]+_[a-z]+ /);
    expect(readFileSync(at("open.txt"), "utf8")).toBe("patched\n");
    expect(readFileSync(at("added.txt"), "utf8")).toContain("added");
    await call("fs.move", { from: at("added.txt"), to: "moved.txt" });
    expect(existsSync(join(root, "moved.txt"))).toBe(true);
    await call("fs.delete", { path: at("new"), recursive: true });
    expect(existsSync(at("new"))).toBe(false);
  });

  it("opened for reading is not opened for writing", async () => {
    const { call, outside } = await world((place) => ({
      policies: [{ ...opens(place.outside), tools: ["fs.read", "search.*"] }],
    }));
    expect(await call("fs.read", { path: join(outside, "open.txt") })).toContain("opened");
    expect(await call("fs.write", { path: join(outside, "open.txt"), content: "x" })).toMatch(/^no_approver/);
    expect(readFileSync(join(outside, "open.txt"), "utf8")).toBe("opened\n");
  });

  it("is opened for one call by a person who approves it", async () => {
    const { call, outside } = await world(() => ({
      approver: ann,
    }));
    expect(await call("fs.read", { path: join(outside, "open.txt") })).toContain("opened");
  });

  it("stays the place that was judged when it is swapped for a link before the tool runs", async () => {
    const { call, gate, outside, base } = await world((place) => ({
      policies: [opens(join(place.outside, "open.txt"))],
    }));
    writeFileSync(join(base, "elsewhere.txt"), "elsewhere\n");
    gate.use(async (_, next) => {
      rmSync(join(outside, "open.txt"));
      symlinkSync(join(base, "elsewhere.txt"), join(outside, "open.txt"));
      return next();
    });
    expect(await call("fs.read", { path: join(outside, "open.txt") })).toMatch(/^outside_root/);
  });
});

describe("a protected file", () => {
  it("is opened by a policy that names it, and only that one", async () => {
    const { call, root } = await world((place) => ({
      policies: [rule("approve", "fs.read", [["path", "equals", join(place.root, ".env")]])],
    }));
    writeFileSync(join(root, ".env.local"), "OTHER=1\n");
    expect(await call("fs.read", { path: ".env" })).toContain("TOKEN");
    expect(await call("fs.read", { path: ".env.local" })).toMatch(/^policy_denied/);
  });

  it("stays closed inside of a folder that was opened", async () => {
    const { call, outside } = await world((place) => ({ policies: [opens(place.outside)] }));
    writeFileSync(join(outside, ".env"), "TOKEN=opened\n");
    expect(await call("search.grep", { pattern: "opened", path: outside })).not.toContain("TOKEN");
    expect(await call("fs.read", { path: join(outside, ".env") })).toMatch(/^policy_denied/);
  });

  it("of the gate's own state stays closed whatever a policy or a person says", async () => {
    const { call, state } = await world((place) => ({
      statePaths: [place.state],
      policies: [opens(place.state)],
      approver: ann,
    }));
    writeFileSync(join(state, "trust.json"), "{}");
    expect(await call("fs.read", { path: join(state, "trust.json") })).toMatch(/^(protected|policy_denied)/);
    expect(await call("fs.write", { path: join(state, "trust.json"), content: "x" })).toMatch(
      /^(protected|policy_denied)/,
    );
    expect(readFileSync(join(state, "trust.json"), "utf8")).toBe("{}");
  });
});

describe("the home folder as ~", () => {
  it("asks by default, and is what it says where a policy opens it", async () => {
    const home = temporaryFolder("home");
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(homedir()).toBe(home);
    const name = "notes.txt";
    writeFileSync(join(home, name), "at home\n");
    const closed = await world(() => ({}));
    expect(await closed.call("fs.read", { path: `~/${name}` })).toMatch(/^no_approver/);
    const open = await world(() => ({ policies: [opens(`~/${name}`)] }));
    expect(await open.call("fs.read", { path: `~/${name}` })).toContain("at home");
  });
});

describe("output that was too long", () => {
  const long = { offset: 0, limit: 2000 };

  it("is read by the caller it belongs to without asking, and by nobody else", async () => {
    const { call, gate, root } = await world(() => ({ maxOutputBytes: 2000 }));
    writeFileSync(join(root, "long.txt"), "a line of text\n".repeat(1000));
    const path = /is in (\S+\.txt)/.exec(await call("fs.read", { path: "long.txt", ...long }))?.[1] ?? "";
    expect(await call("fs.read", { path, offset: 0, limit: 3 })).toContain("a line of text");
    const caller = { id: "another", capabilities: ["*"] };
    expect(await call("fs.read", { path, limit: 3 }, { caller })).toMatch(/^no_approver/);
    expect(await call("fs.delete", { path })).toMatch(/^no_approver/);
    expect((await gate.explain({ tool: "fs.read", input: { path } })).verdict).toBe("allow");
  });

  it("is known to the next process that keeps it in the same folder", async () => {
    const first = await world(({ state }) => ({
      maxOutputBytes: 2000,
      spill: createFileSpill({ folder: join(state, "output") }),
    }));
    writeFileSync(join(first.root, "long.txt"), "a line of text\n".repeat(1000));
    const path =
      /is in (\S+\.txt)/.exec(await first.call("fs.read", { path: "long.txt", ...long }))?.[1] ?? "";
    const next = await world(() => ({ spill: createFileSpill({ folder: join(first.state, "output") }) }));
    expect(await next.call("fs.read", { path, limit: 3 })).toContain("a line of text");
  });
});
