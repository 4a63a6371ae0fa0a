import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { fails, refuses, says } from "../unit/surfaces/cli/expect-end.ts";
import { useCliWorld } from "./use-cli-world.ts";

const run = (...argv: readonly string[]) => world.run(argv);
const query = async (...filters: readonly string[]) =>
  rows((await run("audit", "query", ...filters, "--ndjson")).out);
const rows = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Four calls: one that reads, one that is refused, one that a person approved, one of an agent. */
const world = useCliWorld(async () => {
  world.file("a.txt", "hello\n");
  await run("tools", "call", "fs.read", '{"path":"a.txt"}');
  await run("tools", "call", "fs.read", '{"path":"/etc/hosts"}');
  await run("tools", "call", "fs.write", '{"path":"b.txt","content":"x"}', "--enable-tools", "--yes");
  const call = { tool_name: "Bash", tool_input: { command: "git push --force" }, session_id: "s1" };
  await world.run(
    ["check", "--agent", "claude-code"],
    JSON.stringify({ hook_event_name: "PreToolUse", cwd: world.project, ...call }),
  );
});

describe("toolgate audit", () => {
  it("tells of every call of every process, refused ones and those of agents too", async () => {
    const { out } = await says(run("audit", "tail", "--ndjson"));
    expect(rows(out).map(({ tool, body }) => [tool, body.verdict, body.surface, body.mode])).toEqual([
      ["fs.read", "allow", "cli", "act"],
      ["fs.read", "deny", "cli", "act"],
      // --enable-tools: who reads the calls sees that more was switched on.
      [undefined, undefined, "start", undefined],
      ["fs.write", "allow", "cli", "act"],
      ["shell.exec", "abstain", "hook", "act"],
    ]);
    const calls = rows(out).filter(({ kind }) => kind !== "note");
    expect(calls.every(({ body }) => body.cwd === world.project)).toBe(true);
  });

  it("finds records by tool, verdict, code and text, page by page", async () => {
    expect(await query("--tool", "fs.*")).toHaveLength(3);
    expect(await query("--code", "no_approver")).toHaveLength(1);
    expect(await query("--text", "PUSH --force")).toHaveLength(1);
    const first = await run("audit", "query", "--limit", "3", "--ndjson");
    const after = /--after (\d+)/.exec(first.err)?.[1] ?? "";
    expect(await query("--limit", "3", "--after", after)).toHaveLength(2);
    expect((await run("audit", "query", "--since", "1ms")).out).toBe("There are no such records.\n");
  });

  it("shows one call with its intent, the person and how it ended", async () => {
    const [write] = await query("--tool", "fs.write");
    await says(run("audit", "show", write.callId), /^intent \d+\n.*^completion \d+\n/ms, '"by":"--yes"');
    expect((await run("audit", "show", String(write.seq), "--ndjson")).out).toContain(write.callId);
  });

  it("counts", async () => {
    const stats = JSON.parse((await run("audit", "stats", "--json")).out);
    expect(stats).toMatchObject({ calls: 4, unknown: 0 });
    expect((await run("audit", "stats")).out).toMatch(/^4 calls: .*allow 2/);
  });

  it("goes on with new records until it is interrupted", async () => {
    const child = world.start(["audit", "tail", "-f", "-n", "0", "--ndjson"]);
    let out = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    while (!out.includes("workspace.info")) {
      await run("tools", "call", "workspace.info", "{}");
    }
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect([0, 130]).toContain(code);
  });

  it.each([
    [["audit", "query", "--since", "yesterday"], "--since takes"],
    [["audit", "query", "--limit", "0"], "--limit takes"],
    [["audit", "query", "--kinds", "all"], "There are no records of the kind"],
    [["audit", "tail", "-n", "x"], "--lines takes"],
    [["audit", "show", "call_none"], "There is no record of a call"],
    [["audit", "prune"], "--older-than 90d"],
    [["audit", "prune", "--older-than", "90d"], "Add --yes"],
    [["audit", "verify", "--key", "x"], "--key goes with --file"],
    [["audit", "verify", "--file", "missing.jsonl"], "could not be verified"],
    [["audit", "export", "-o", "/dev/null/x.jsonl"], "/dev/null/x.jsonl was not written"],
    [["replay", "--rules", "missing.yaml"], "missing.yaml"],
    [["replay", "--examples", "many"], "--examples takes"],
  ])("answers %j with what is wrong, and exit 1", async (argv, message) => {
    await refuses(run(...argv), message);
  });
});

describe("toolgate replay", () => {
  it("shows which verdicts other rules would change, with examples", async () => {
    const rules = join(world.folder, "strict.yaml");
    writeFileSync(
      rules,
      `policies:
  no-force: {tools: Bash, action: deny, reason: Never., conditions: [{type: command, operator: contains, value: --force}]}
  writes: {tools: fs.write, action: approve}
`,
    );
    await says(
      run("replay", "--rules", rules),
      /^\d+ recorded calls replayed; 2 would end otherwise\.\n/,
      /abstain -> deny {2}1 {2}shell\.exec 1\n.*git push --force.*\n.*policy "no-force" \(.*strict\.yaml:2\)/,
      "ask -> allow  1  fs.write 1",
    );
    expect((await run("replay", "--rules", rules, "--check")).code).toBe(1);
    const json = JSON.parse((await run("replay", "--rules", rules, "--json")).out);
    expect(json.changes.map(({ now }: { now: { verdict: string } }) => now.verdict).sort()).toEqual([
      "allow",
      "deny",
    ]);
  });

  it("finds nothing where the rules are the same, and runs nothing", async () => {
    writeFileSync(join(world.project, "b.txt"), "kept");
    expect((await run("replay", "--check")).code).toBe(0);
    expect(readFileSync(join(world.project, "b.txt"), "utf8")).toBe("kept");
  });
});

describe("a list of records", () => {
  it("keeps a message of several lines in one row of a list", async () => {
    const command = "echo hi > f.txt";
    await run("tools", "call", "shell.exec", JSON.stringify({ command }), "--enable-tools");
    const { out } = await run("audit", "query", "--code", "route_blocked");
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(out).toContain("nothing needs quoting");
  });
});

describe("evidence", () => {
  it("is needed for a call: nothing runs while the store is damaged", async () => {
    const file = join(world.state, "toolgate.sqlite");
    const kept = readFileSync(file);
    writeFileSync(file, "garbage ".repeat(1_000));
    const written = run(
      "tools",
      "call",
      "fs.write",
      '{"path":"c.txt","content":"x"}',
      "--enable-tools",
      "--yes",
    );
    await refuses(written, "is damaged. Move it away").finally(() => writeFileSync(file, kept));
    expect(existsSync(join(world.project, "c.txt"))).toBe(false);
  });
  it("that is no export, or is verified with something that is no key, is not called changed", async () => {
    const [text, lines] = [join(world.folder, "text"), join(world.folder, "lines.jsonl")];
    writeFileSync(text, "hello\n");
    await run("audit", "export", "-o", lines);
    for (const argv of [
      ["--file", text],
      ["--file", lines, "--key", text],
    ]) {
      await fails(run("audit", "verify", ...argv), /^✗ The ledger cannot be verified/);
    }
  });

  it("verifies here and as an export elsewhere, and shows what was changed in either", async () => {
    expect((await run("audit", "verify")).out).toMatch(/^✓ The ledger is whole: \d+ records/);
    const file = join(world.folder, "ledger.jsonl");
    expect((await run("audit", "export", "-o", file)).code).toBe(0);
    expect((await run("audit", "export", "-o", file)).err).toContain("exists already");
    const whole = await run("audit", "verify", "--file", file);
    expect([whole.code, whole.out.slice(0, 21)]).toEqual([0, "✓ The ledger is whole"]);
    writeFileSync(file, readFileSync(file, "utf8").replace("git push --force", "git push --forge"));
    await fails(run("audit", "verify", "--file", file), /✗ The ledger was changed.*edited at record/s);

    const database = new DatabaseSync(join(world.state, "toolgate.sqlite"));
    const table = database
      .prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%body%hash%' OR sql LIKE '%hash%body%'")
      .get();
    database.exec(`UPDATE ${String(table?.name)} SET body = replace(body, 'hello', 'jello')`);
    database.close();
    const edited = JSON.parse((await run("audit", "verify", "--json")).out);
    expect(edited.ok).toBe(false);
    expect(edited.problems[0].kind).toBe("edited");
  });
});
