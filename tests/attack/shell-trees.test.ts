/** Commands that read or write a whole folder meet the protected files in it. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import {
  all,
  approve,
  deny,
  folderWith,
  put,
  command as says,
  verdicts as verdictsIn,
} from "./command-policies.ts";

const root = folderWith(
  ..."app/.env app/a.ts keys/server.pem clean/a.ts clean/deep/b.ts prod/data.csv".split(" "),
  ..."node_modules/x/fixture.pem hidden/.credentials.json".split(" "),
);
mkdirSync(join(root, "linked"));
symlinkSync(folderWith(), join(root, "linked", "away"));

const byName = approve(says("cd grep rg diff tar cp mv rm cat ls find git egrep chmod".split(" ")));
const verdicts = (commands: readonly string[], ...more: Policy[]) =>
  verdictsIn(root, [byName, ...more], commands);

describe("a command that takes a whole folder", () => {
  it("does not get a protected file in it", async () => {
    const commands = [
      "grep -r x .",
      "grep -rn x app",
      "grep --recursive x app keys",
      "grep -d recurse x app",
      "grep -r x",
      "egrep -r x app",
      "rg --hidden x",
      "rg -uu x app",
      "rg x keys",
      "rg -g '.env' x app",
      "diff -r app clean",
      "tar cf out.tar app",
      "tar -czf out.tgz .",
      "tar cf out.tar -C app .",
      "cp -r app copy",
      "cp -a app copy",
      "mv app elsewhere",
      "rm -rf app",
      "rm -r keys",
      "chmod -R a+r app",
      "grep -r x */",
      "cd app && grep -r x .",
      "grep -r x --include=.e* app",
      "grep -r x --exclude=.ENV app",
      "grep -r --exclude='*.md' --include='*.ts' . app",
      "grep -r --exclude='*' --include='.env' . app",
      "grep -r --exclude='.env/' . app",
      "grep -r --exclude=app . .",
      "cd app && grep -r --exclude-dir='*' .",
      "rg -uuu -g '!*' -g '.env' . app",
      "rg --hidden -g '!.env*' -g '.env' . app",
      "rg --no-ignore -g '!*.pem' -g '*.pem' . keys",
      "diff app clean",
      "diff -N clean app",
      "git diff --no-index clean app",
      "git diff --no-index --stat app clean",
      "git grep --no-index . ':!docs'",
      "git grep --no-index . -- ':^docs' ':(exclude)x'",
      "tar cf out.tar app --exclude=.env",
      "tar --anchored --exclude=.env -cf out.tar app",
      "tar --no-wildcards --exclude='.e*' -cf out.tar app",
      "tar cf - --exclude='!.env' app",
      "diff -r -x '!.env' app clean",
      // Globs that ripgrep takes for comments or for nothing.
      "rg -uu -g '#x' x app",
      "rg -uu -g '' x app",
      "rg -uu -g ' ' x app",
      "rg -g '.env ' x app",
      // A type opens the hidden files that it names.
      "rg --no-ignore -t sh x app",
      "rg -tall x app",
      "rg --type=nobody-knows x app",
      "rg --type-add 'x:.env' -tx x app",
      "rg --type-add 'ts:.env' -tts x app",
      "rg -tjson x hidden",
    ];
    expect(await verdicts(commands)).toEqual(all(commands, "deny"));
  });

  it("is left alone where nothing protected is reached", async () => {
    const commands = [
      "grep -r x clean",
      "grep -rn x clean prod",
      "grep -rn x --include=*.ts app clean",
      "grep -rn x --include '*.ts' .",
      "grep -r x --exclude=.env app",
      "grep -r x --exclude-dir=app --exclude-dir=keys --exclude-dir=hidden .",
      "grep -r x node_modules",
      "rg x app",
      "rg x clean -t ts",
      "rg x app -t ts",
      "rg -tpy -tjson x app",
      "rg -T sh x app",
      "rg x hidden",
      "rg -tyaml x hidden",
      "rg -g '*.ts' x",
      "rg -g '!*.pem' x",
      "diff -r clean prod",
      "tar cf out.tar clean",
      "tar cf out.tar --exclude=.env app",
      "cp -r clean copy",
      "cp -r clean .",
      "mv clean elsewhere",
      "rm -rf clean",
      "rm -rf node_modules",
      "ls -R .",
    ];
    expect(await verdicts(commands)).toEqual(all(commands, "allow"));
  });

  it("meets what a policy protects, too, and asks where a link leads away or too much is there", async () => {
    const protects = deny({ type: "path", operator: "inside", value: "prod" });
    const both = ["grep -r x prod", "cp -r prod copy", "tar cf x.tar --exclude=app --exclude=keys ."];
    expect(await verdicts(both, protects)).toEqual(all(both, "deny"));
    expect(await verdicts(["grep -r x clean"], protects)).toEqual({ "grep -r x clean": "allow" });
    expect(await verdicts(["diff -r linked clean", "diff -r --no-dereference linked clean"])).toEqual({
      "diff -r linked clean": "ask",
      "diff -r --no-dereference linked clean": "allow",
    });
  });

  it("follows links where the program does", async () => {
    symlinkSync("../app/.env", join(root, "linked", "a.ts"));
    const commands = ["diff clean/a.ts linked", "tar chf out.tar linked", "cp -rL linked copy"];
    expect(await verdicts(commands)).toEqual(all(commands, "deny"));
    rmSync(join(root, "linked", "a.ts"));
    expect(await verdicts(["tar -df out.tar", "tar --compare -f out.tar clean"])).toEqual({
      "tar -df out.tar": "ask",
      "tar --compare -f out.tar clean": "ask",
    });
  });

  it("meets hidden files that a file of the repository tells ripgrep to open", async () => {
    const rule = async (file: string, text: string, command: string) => {
      put(root, file, text);
      const found = await verdicts([command]);
      rmSync(join(root, file));
      return found[command];
    };
    expect(await rule("app/.ignore", "x\n!.env\n", "rg x app")).toBe("deny");
    expect(await rule("app/.rgignore", "!*.env \r\n", "rg x app")).toBe("deny");
    expect(await rule(".ignore", "\ufeff!/app/.env", "rg x app")).toBe("deny");
    expect(await rule(".gitignore", "!**/.e[n]v", "cd app && rg x")).toBe("deny");
    expect(await rule(".git/info/exclude", "!.ENV", "rg x app")).toBe("deny");
    expect(await rule("list", "!.env", "rg --ignore-file list x app")).toBe("deny");
    // Names that it does not concern stay hidden.
    expect(await rule(".gitignore", ".env*\n!.env.example\n!.gitkeep\n", "rg x app")).toBe("allow");
    expect(await rule("clean/.ignore", "!.env", "rg x app")).toBe("allow");
  });

  it("asks where a file is called like an option", async () => {
    writeFileSync(join(root, "clean", "-fsecret"), "");
    expect(await verdicts(["cd clean && grep x *", "grep x *", "cd clean && grep x ./*"])).toEqual({
      "cd clean && grep x *": "ask",
      "grep x *": "allow",
      "cd clean && grep x ./*": "allow",
    });
    rmSync(join(root, "clean", "-fsecret"));
  });
});
