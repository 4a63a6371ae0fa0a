import { describe, expect, it } from "vitest";
import { readShellPatch } from "../../../../src/agents/codex/shell-patch.ts";

const patch = "*** Begin Patch\n*** Add File: a.txt\n+hi $HOME\n*** End Patch\n";
const plain = patch.replace("$HOME", "all");

describe("a patch typed into a shell", () => {
  it("is the whole line where the shell has nothing else to do", () => {
    expect(readShellPatch(`apply_patch <<'EOF'\n${patch}EOF`)).toEqual({ text: patch, isAll: true });
    expect(readShellPatch(`applypatch << "PATCH"\n${patch}PATCH\n`)).toEqual({ text: patch, isAll: true });
    expect(readShellPatch(`apply_patch <<EOF\n${plain}EOF`)).toEqual({ text: plain, isAll: true });
  });

  it("names its files from where the line starts", () => {
    const more =
      "*** Begin Patch\n*** Update File: b.txt\n*** Move to: /etc/c.txt\n@@\n-x\n+a.txt\n*** End Patch\n";
    for (const cd of ["cd sub/x", "cd 'sub/x'", 'cd "sub/x"'])
      expect(readShellPatch(`${cd} && apply_patch <<'EOF'\n${more}EOF`)).toEqual({
        text: more.replace("b.txt", "sub/x/b.txt"),
        isAll: true,
      });
    expect(readShellPatch(`cd /etc && apply_patch <<'EOF'\n${patch}EOF`)?.text).toContain("File: /etc/a.txt");
  });

  it.for([
    ["what the shell fills in", `apply_patch <<EOF\n${patch}EOF`],
    ["a command substitution", `apply_patch <<EOF\n${plain}+$(rm x)\nEOF`],
    ["commands after it", `apply_patch <<'EOF'\n${patch}EOF\nrm -rf x\nEOF`],
    ["a command before it", `rm x; apply_patch <<'EOF'\n${patch}EOF`],
    ["a folder that only the shell knows", `cd $DIR && apply_patch <<'EOF'\n${patch}EOF`],
    ["a shell in the shell", `bash -lc "apply_patch <<'EOF'\n${patch}EOF"`],
    ["the patch as an argument", `apply_patch '${patch}'`],
    ["another end", `apply_patch <<'EOF'\n${patch}END`],
  ] as const)("is a part of the line beside %s", ([, command]) => {
    expect(readShellPatch(command)).toEqual({ text: command, isAll: false });
  });

  it("is not seen where there is none", () => {
    for (const command of ["ls", "which apply_patch", "apply_patch --help", "echo '*** Begin Patch'"])
      expect(readShellPatch(command)).toBeUndefined();
  });
});
