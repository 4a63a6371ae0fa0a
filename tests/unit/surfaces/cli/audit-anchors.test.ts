import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

let world: CliWorld;
afterEach(() => world.close());

/** A user whose configuration names an anchor, and who has made a few calls. */
async function createAnchored(): Promise<{ readonly anchor: string; readonly state: string }> {
  world = createCliWorld();
  const anchor = join(world.home, "elsewhere", "anchor.jsonl");
  mkdirSync(join(world.home, "elsewhere"));
  mkdirSync(join(world.home, ".config", "toolgate"), { recursive: true });
  writeFileSync(
    join(world.home, ".config", "toolgate", "config.yaml"),
    `ledger: { anchors: [{ file: ${anchor} }] }\n`,
  );
  await call();
  return { anchor, state: join(world.home, ".local", "state", "toolgate") };
}

const call = () => world.run(["tools", "call", "fs.list", "{}"]);

describe("toolgate audit verify with an anchor", () => {
  it("says how far the anchor is, and that the state folder was put back", async () => {
    const { anchor, state } = await createAnchored();
    const whole = await world.run(["audit", "verify"]);
    expect(whole.out).toContain(`anchor ${anchor}: signed up to record`);
    expect(whole.code).toBe(0);
    const copy = join(world.home, "copy");
    cpSync(state, copy, { recursive: true });
    await call();
    rmSync(state, { recursive: true });
    cpSync(copy, state, { recursive: true });
    const found = await world.run(["audit", "verify"]);
    expect(found.out).toContain("an older copy of the state folder was put back");
    expect(found.code).toBe(1);
    const json = JSON.parse((await world.run(["audit", "verify", "--json"])).out);
    expect(json).toMatchObject({ ok: false, problems: [{ kind: "truncated" }] });
    // Whoever verifies adds nothing to the evidence.
    expect(new Set(readFileSync(anchor, "utf8").trimEnd().split("\n")).size).toBe(
      readFileSync(anchor, "utf8").trimEnd().split("\n").length,
    );
    const doctor = JSON.parse((await world.run(["doctor", "--json"])).out);
    expect(doctor.findings).toContainEqual(expect.objectContaining({ check: "anchors", level: "problem" }));
  });

  it("compares with a copy that --anchor names, of the ledger or of an export", async () => {
    const { anchor, state } = await createAnchored();
    await world.run(["audit", "export", "-o", "export.jsonl"]);
    await call();
    const copy = world.file("anchor-copy.jsonl", readFileSync(anchor, "utf8"));
    expect((await world.run(["audit", "verify", "--anchor", copy])).code).toBe(0);
    const exported = await world.run(["audit", "verify", "--file", "export.jsonl", "--anchor", copy]);
    expect(exported.code).toBe(1);
    expect(exported.out).toContain("are missing");
    rmSync(state, { recursive: true });
    const fresh = await world.run(["audit", "verify", "--anchor", copy]);
    expect(fresh.code).toBe(1);
    expect(fresh.out).toContain("removed, emptied or replaced");
    expect((await world.run(["audit", "verify", "--anchor", "nowhere"])).out).toContain("gone or empty");
  });

  it("keeps tools away from the anchor", async () => {
    const { anchor } = await createAnchored();
    const all = ["tools", "call", "--enable-tools", "--yes"];
    const written = await world.run([...all, "fs.write", JSON.stringify({ path: anchor, content: "x" })]);
    expect(written.code).toBe(1);
    const removed = await world.run([...all, "shell.exec", JSON.stringify({ command: `rm ${anchor}` })]);
    expect(removed.code).toBe(1);
    expect(readFileSync(anchor, "utf8")).toContain("checkpoint");
  });

  it.each([
    ["Write", (anchor: string) => ({ file_path: anchor, content: "x" })],
    ["Edit", (anchor: string) => ({ file_path: anchor, old_string: "a", new_string: "b" })],
    ["Bash", (anchor: string) => ({ command: `truncate -s 0 ${anchor}` })],
    ["Bash", (anchor: string) => ({ command: `mv ${anchor} /tmp/gone` })],
    ["Bash", (anchor: string) => ({ command: `rm -rf ${join(anchor, "..")}` })],
    ["Bash", (anchor: string) => ({ command: `sed -i 1d ${anchor}` })],
  ])("keeps an agent's own %s away from the anchor, too", async (tool, input) => {
    const { anchor } = await createAnchored();
    const stdin = JSON.stringify({ tool_name: tool, tool_input: input(anchor) });
    expect((await world.run(["check"], { stdin })).code).toBe(2);
  });

  it("shows what the configuration says, without the path of an address", async () => {
    await createAnchored();
    writeFileSync(
      join(world.home, ".config", "toolgate", "config.yaml"),
      "ledger: { anchors: [{ url: 'https://a.example/hidden' }, { syslog: true }] }\n",
    );
    const { out } = await world.run(["config", "show"]);
    expect(out).toContain("https://a.example");
    expect(out).toContain("syslog: true");
    expect(out).not.toContain("hidden");
  });

  it("tells by doctor that an anchor takes nothing, and calls go on", async () => {
    const { anchor } = await createAnchored();
    rmSync(join(anchor, ".."), { recursive: true });
    const called = await call();
    expect(called.code).toBe(0);
    expect(called.err).toContain("does not take the ledger's checkpoints");
    const doctor = await world.run(["doctor"]);
    expect(doctor.out).toContain(anchor);
    expect(doctor.code).toBe(1);
  });
});
