import { expect, it } from "vitest";
import type { JudgedCommand } from "../../../../src/core/ports/command.ts";
import { gitFolders, handedOn, pathsInWords } from "../../../../src/rules/own/own-in-line.ts";
import { judgeCommand } from "../../../../src/shell/judge.ts";

const many = Array.from({ length: 5_000 }, (_, index) => `l${index}`);

function commandsOf(line: string): readonly JudgedCommand[] {
  return judgeCommand(line, { cwd: "/work" }).commands;
}

function first(line: string): JudgedCommand {
  return commandsOf(line)[0] as JudgedCommand;
}

it("asks the file system about a bounded number of words, and a person about more", () => {
  expect(gitFolders(first("git -C a --work-tree=b status"))).toEqual(["a", "b"]);
  expect(gitFolders(first(`git ${many.map((name) => `-C ${name}`).join(" ")} status`))).toBeUndefined();
  expect(pathsInWords(first(`any ${many.map((name) => `@${name}/x`).join(" ")}`))).toBeUndefined();
  let looked = 0;
  const locate = (absolute: string) => {
    looked++;
    return { absolute, inside: true };
  };
  const line = `find ${many.map((name) => `${name}/x`).join(" ")} | xargs cat`;
  expect(handedOn(commandsOf(line), locate)).toBe("l256/x");
  expect(looked).toBe(256);
});

it("reads paths out of words in which nobody says where one begins", () => {
  const found = (line: string) => pathsInWords(first(line));
  expect(found("any -c/a/b x=~/c y:@d/e")).toEqual(["-c/a/b", "/a/b", "~/c", "d/e", "/e"]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
  expect(found('any "$HOME/x" -o$HOME/y file://${HOME}/z')).toEqual(
    expect.arrayContaining(["~/x", "~/y", "~/z"]),
  );
  expect(found("python3 -c 'open(\"/a/b\").read()'")).toContain("/a/b");
  expect(found("cat ~/a")).toEqual([]);
  expect(found("git commit -m 'about ~/a'")).toEqual([]);
});
