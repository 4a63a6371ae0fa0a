import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseConfig } from "../../../../../src/safe/files/repository/parse-config.ts";
import { describeGit } from "../../../sources/builtin/git/git-gate.ts";

/** What the installed git reads, or undefined where it refuses. */
function asGitReads(text: string): string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "config"), text);
  try {
    const args = ["config", "-f", join(folder, "config"), "-z", "--list"];
    const out = execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return out.split("\0").filter((line) => line !== "");
  } catch {
    return undefined;
  }
}

function asWeRead(text: string): string[] | undefined {
  return parseConfig(text)?.map(({ section, name, key, value }) => {
    const whole = name === undefined ? `${section}.${key}` : `${section}.${name}.${key}`;
    return `${whole}\n${value}`;
  });
}

const readable = [
  "[core]\n\tfsmonitor = x\n",
  "[core] fsmonitor = x",
  "[core]fsmonitor=x",
  "[CoRe]\nFsMonitor = X # not this\n",
  "[core]\n\tpager = 'less' ; nor this\n",
  '[core]\n\tpager = "a # b" ; c\n',
  "[core]\n\tpager = a \\\n  b\n",
  '[core]\n\tpager = a\\tb\\n\\\\c\\"d\n',
  '[remote "Ori gin"]\n\turl = x\n[remote "a\\"b\\\\c"]\n\turl = y\n',
  "[remote.Origin]\n\turl = x\n",
  "[a]\nb = 1\nb = 2\n[a]\nb = 3\n",
  "# nothing\n; at all\n\n   \t\n",
  "\ufeff[core]\n\tbare = false\n",
  "[core]\r\n\tbare = false\r\n",
  '[core]\n\tpager = a "" b""\n',
  '[core]\n\tpager = "  a  "  \n',
  "[core] [diff] external = x",
  '[filter "x"]\n clean = a\n[filter ""]\n clean = b\n',
  "[core]\nkey-with-dash = 1",
];

const refused = [
  "[core\nx = 1\n",
  "[core]\n= 1\n",
  '[core]\nx = "a\n',
  "[core]\nx = a\\qb\n",
  "[core]\n_x = 1\n",
];

describeGit("configuration", () => {
  it.each(readable)("is read as git reads it: %j", (text) => {
    const expected = asGitReads(text);
    expect(expected).toBeDefined();
    expect(asWeRead(text)).toEqual(expected);
  });

  it.each(refused)("is refused where git refuses it: %j", (text) => {
    expect(asGitReads(text)).toBeUndefined();
    expect(asWeRead(text)).toBeUndefined();
  });
});
