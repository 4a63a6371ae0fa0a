import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, says } from "./expect-end.ts";

/** A user whose configuration names an anchor, and who has made a few calls. */
const world = useCliWorld(async ({ configure, home }) => {
  mkdirSync(join(home, "elsewhere"));
  configure(`ledger: { anchors: [{ file: ${join(home, "elsewhere/anchor.jsonl")} }] }\n`);
  await call();
});
const anchored = () => ({
  anchor: join(world.home, "elsewhere/anchor.jsonl"),
  state: join(world.home, ".local/state/toolgate"),
});
const call = () => world.run("tools call fs.list {}");

describe("toolgate audit verify with an anchor", () => {
  it("says how far the anchor is, and that the state folder was put back", async () => {
    const { anchor, state } = anchored();
    await says(world.run("audit verify"), `anchor ${anchor}: signed up to record`);
    const copy = join(world.home, "copy");
    cpSync(state, copy, { recursive: true });
    await call();
    rmSync(state, { recursive: true });
    cpSync(copy, state, { recursive: true });
    await fails(world.run("audit verify"), "an older copy of the state folder was put back");
    const json = await world.json("audit verify", { code: 1 });
    expect(json).toMatchObject({ ok: false, problems: [{ kind: "truncated" }] });
    // Whoever verifies adds nothing to the evidence.
    expect(new Set(readFileSync(anchor, "utf8").trimEnd().split("\n")).size).toBe(
      readFileSync(anchor, "utf8").trimEnd().split("\n").length,
    );
    const doctor = JSON.parse((await world.run("doctor --json")).out);
    expect(doctor.findings).toContainEqual(expect.objectContaining({ check: "anchors", level: "problem" }));
  });

  it("compares with a copy that --anchor names, of the ledger or of an export", async () => {
    const { anchor, state } = anchored();
    await world.run("audit export -o export.jsonl");
    await call();
    const copy = world.file("anchor-copy.jsonl", readFileSync(anchor, "utf8"));
    expect((await world.run(["audit", "verify", "--anchor", copy])).code).toBe(0);
    await fails(world.run(["audit", "verify", "--file", "export.jsonl", "--anchor", copy]), "are missing");
    rmSync(state, { recursive: true });
    await fails(world.run(["audit", "verify", "--anchor", copy]), "removed, emptied or replaced");
    expect((await world.run("audit verify --anchor nowhere")).out).toContain("gone or empty");
  });

  it("keeps tools away from the anchor", async () => {
    const { anchor } = anchored();
    const all = ["tools", "call", "--enable-tools", "--yes"];
    await fails(world.run([...all, "fs.write", JSON.stringify({ path: anchor, content: "x" })]));
    await fails(world.run([...all, "shell.exec", JSON.stringify({ command: `rm ${anchor}` })]));
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
    const { anchor } = anchored();
    const stdin = JSON.stringify({ tool_name: tool, tool_input: input(anchor) });
    expect((await world.run("check", { stdin })).code).toBe(2);
  });

  it("shows what the configuration says, without the path of an address", async () => {
    world.configure("ledger: { anchors: [{ url: 'https://a.example/hidden' }, { syslog: true }] }\n");
    await expectEnd(world.run("config show"), {
      out: ["https://a.example", "syslog: true"],
      never: "hidden",
    });
  });

  it("tells by doctor that an anchor takes nothing, and calls go on", async () => {
    const { anchor } = anchored();
    rmSync(join(anchor, ".."), { recursive: true });
    await expectEnd(call(), { err: "does not take the ledger's checkpoints" });
    await expectEnd(world.run("doctor"), { code: 1, out: anchor });
  });
});
