/** Programs that open another name than the one on the line where that is not there: `zcat log` opens `log.gz`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { createGate, type Policy } from "../../src/index.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-implied-")));
const outside = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-implied-outside-")));
afterAll(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true });
});
writeFileSync(join(outside, "away.gz"), gzipSync("text of a file outside"));
for (const ending of [".gz", ".z", "-z", ".Z", ".zip", ".ZIP"])
  symlinkSync(join(outside, "away.gz"), join(root, `linked${ending}`));
writeFileSync(join(root, "here.gz"), gzipSync("text"));
mkdirSync(join(root, "app"));
writeFileSync(join(root, "app/.env"), "SECRET=1");

const approve: Policy = {
  name: "reading",
  tools: "Bash",
  action: "approve",
  conditions: [{ type: "risk", operator: "equals", value: "read" }],
};

const gate = await createGate({ roots: [root], policies: [approve] });

async function verdictOf(command: string): Promise<string> {
  return (await gate.explain({ tool: "Bash", input: { command }, cwd: root }, { as: "check" })).verdict;
}

describe("a name that a program completes", () => {
  it.for([
    ...["zcat linked", "zcat -f linked", "gzcat linked", "zgrep x linked", "zgrep -e x linked"],
    ...["unzip -p linked", "unzip -l linked", "zcat ./linked", "for f in linked; do zcat $f; done"],
  ])("is judged as what the program opens: %s", async (command) => {
    expect(await verdictOf(command)).toBe("ask");
  });

  it("is opened by the program", () => {
    const said = execFileSync("/bin/sh", ["-c", "zcat linked"], { cwd: root, encoding: "utf8" });
    expect(said).toBe("text of a file outside");
  });

  it.for(["unzip -p 'lin*'", "unzip -p 'linke?.zip'", "unzip -l 'l[i]nked.zip'", "unzip -p linke\\\\d"])(
    "may be a pattern to unzip, which nobody else reads: %s",
    async (command) => expect(await verdictOf(command)).toBe("ask"),
  );

  it.for([
    ...["zcat here.gz", "zcat here", "zgrep x here", "zgrep x here.gz app/none.gz", "unzip -l a.zip"],
    'for f in here*.gz; do zcat "$f"; done',
  ])("does not matter where the name is whole, or what is there may be read: %s", async (command) => {
    expect(await verdictOf(command)).toBe("allow");
  });

  it.for([
    ...["zcat -r app", "zcat -fr app", "zcat --recursive app", "zcat --rec app", "zcat $x app"],
    "for f in -r; do zcat $f app; done",
  ])("cannot be a folder that gzip walks through: %s", async (command) => {
    expect(await verdictOf(command)).not.toBe("allow");
  });
});
