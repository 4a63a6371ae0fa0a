/** Random filters of programs that read whole folders, beside the real programs: what they print was reached for the judge, too. */
import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { findRipgrep } from "../../src/safe/files/ripgrep.ts";
import { RG_TYPES } from "../../src/shell/known-commands/readers/rg-types.ts";
import { approve, folderWith, judgedBy, put, command as says } from "./command-policies.ts";

const SECRET = "SECRET=marker-of-a-secret";
const root = folderWith();
for (const path of ["app/.env", "app/a.txt", "app/sub/.env.local", "other/.env", "other/b.txt"])
  put(root, path, path.includes(".env") ? `${SECRET}-${path}\n` : "ordinary\n");

const PATTERNS =
  ".env|*.env|.e*|*|*.txt|.*|[.]env|.en?|app|app/*|./app|app/.env|**/.env|/app|.ENV|[!a]*|[^a]*|a*|\\.env|.env/|*nv|.[a-f]nv|*.{txt,env}|{.env}|!.env|!!.env|\\!*||.|con?|app/|/|*/|.env |#.env| |[.|[a|.e\\nv|.env*|!*".split(
    "|",
  );
const TYPES = "sh all ts json txt ruby zsh nobody".split(" ");
const IGNORES = ["!.env", "!*", "x", "!/app/.env", "!.e*", ".env*\n!.env.local", "!app/", "#!.env", " !.env"];

function random(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return choices[(state >>> 8) % choices.length] as never;
  };
}

const quoted = (text: string) => `'${text}'`;

function line(pick: ReturnType<typeof random>): string {
  const pattern = () => quoted(pick(PATTERNS));
  const folder = () => pick(["app", "app/", "./app", "other app", "app/sub/..", "."]);
  switch (pick(["rg", "rg", "rg", "grep", "diff", "tar"])) {
    case "rg": {
      const filter = () =>
        pick([
          () => `-g ${pattern()}`,
          () => `--glob=${pattern()}`,
          () => `--iglob ${pattern()}`,
          () => `-g '!${pick(PATTERNS)}'`,
          () => `-t ${pick(TYPES)}`,
          () => `--type-add ${quoted(`${pick(TYPES)}:${pick(PATTERNS)}`)} -t${pick(TYPES)}`,
          () => `-T${pick(TYPES)}`,
          () => pick(["--hidden", "-uu", "-u", "--no-ignore", "--no-hidden", "-."]),
        ])();
      return `rg ${pick([1, 2, 3].map((n) => Array.from({ length: n }, filter).join(" ")))} SECRET ${folder()}`;
    }
    case "grep": {
      const filter = () => `${pick(["--include=", "--exclude=", "--exclude-dir="])}${pattern()}`;
      return `grep -r ${filter()} ${pick([filter(), ""])} SECRET ${folder()}`;
    }
    case "diff":
      return `diff -r -x ${pattern()} ${pick(["-N", "--exclude=.x", ""])} app other`;
    default:
      return `tar cf - --exclude=${pattern()} ${folder()}`;
  }
}

const rg = await findRipgrep();
const policies = [approve(says("rg grep diff tar".split(" ")))];

describe.skipIf(rg === undefined)("random filters", () => {
  it("never let a protected file be printed by a line that is approved", async () => {
    const path = `${dirname(rg ?? "")}:/usr/bin:/bin`;
    const pick = random(20_261);
    let approved = 0;
    let printed = 0;
    for (let round = 0; round < 60; round++) {
      const ignore = pick([undefined, ...IGNORES]);
      const file = join(root, pick(["", "app"]), pick([".ignore", ".rgignore"]));
      if (ignore !== undefined) writeFileSync(file, ignore);
      const judged = judgedBy(await createGate({ roots: [root], policies }), root);
      for (const command of Array.from({ length: 25 }, () => line(pick))) {
        const verdict = await judged(command);
        if (verdict === "allow") approved++;
        else if (round % 6 !== 0) continue;
        const options = { cwd: root, env: { PATH: path }, encoding: "latin1" } as const;
        const leaks = spawnSync("/bin/sh", ["-c", command], options).stdout.includes(SECRET);
        if (leaks) printed++;
        expect([command, ignore, verdict === "allow" && leaks]).toEqual([command, ignore, false]);
      }
      rmSync(file, { force: true });
    }
    // Else the lines would prove nothing.
    expect(approved).toBeGreaterThan(150);
    expect(printed).toBeGreaterThan(20);
  }, 300_000);

  it("know the types of the installed ripgrep", () => {
    const list = execFileSync(rg ?? "", ["--type-list"], { encoding: "utf8" })
      .trim()
      .split("\n");
    const types = new Map(list.map((one) => one.split(": ") as [string, string]));
    for (const [type, known] of Object.entries(RG_TYPES)) {
      const patterns = known
        .split(" ")
        .map((one) => new RegExp(`^${one.replaceAll(".", "\\.").replaceAll("*", ".*")}$`));
      // A name that begins with a dot only fits a pattern that begins with a dot or a star.
      const globs = (types.get(type) ?? "").split(", ").filter((glob) => /^[*.]/.test(glob));
      for (const glob of globs) {
        const name = glob.replace("*", ".x").replaceAll(/\[(.)[^\]]*\]/g, "$1");
        expect([type, glob, patterns.some((one) => one.test(name))]).toEqual([type, glob, true]);
      }
    }
  });
});
