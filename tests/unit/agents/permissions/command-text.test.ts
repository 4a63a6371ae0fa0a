import { describe, expect, it } from "vitest";
import {
  asWritten,
  globText,
  inOneCommand,
  inWords,
  isPlain,
  leadingWords,
  meansEverything,
  plainWords,
  prefixText,
  toSource,
} from "../../../../src/agents/permissions/command-text.ts";

const matches = (source: string, text: string) => new RegExp(`^${source}$`).test(text);
const always = { question: true, open: "always" } as const;
const noQuestion = { question: false, open: "always" } as const;

describe("a text with wildcards", () => {
  it("ends at a word where a blank stands before the last wildcard", () => {
    const text = globText("ls *", noQuestion);
    for (const line of ["ls", "ls -la"]) expect(matches(toSource(text, inWords), line), line).toBe(true);
    expect(matches(toSource(text, inWords), "lsof")).toBe(false);
    const never = globText("ls *", { question: false, open: "never" });
    expect(matches(toSource(never, inWords), "ls")).toBe(false);
  });

  it("reaches into no other command where it must not", () => {
    const source = toSource(prefixText("git log"), inOneCommand);
    expect(matches(source, 'git log --format="%h; %s"')).toBe(true);
    for (const line of ["git log; rm x", "git log > x", "git log $(rm x)", "git log `rm x`", "git log\nrm x"])
      expect(matches(source, line), line).toBe(false);
    expect(matches(toSource({ regex: "git .*" }, inOneCommand), "git log; rm x")).toBe(false);
  });

  it("is plain words only if every character means itself", () => {
    expect(plainWords(prefixText("npm run test"))).toEqual({ words: ["npm", "run", "test"], whole: false });
    for (const text of ['echo "x', "echo $HOME", "A=1 npm test", "ls *.ts"])
      expect(plainWords(prefixText(text)), text).toBeUndefined();
    expect(isPlain({ regex: "git (push|reset)" })).toBe(true);
    for (const regex of ['echo "', "a;b", "(?=x)y", "a\\|b", "x\\$HOME", "a$b"])
      expect(isPlain({ regex }), regex).toBe(false);
  });

  it("knows which words are certain", () => {
    expect(leadingWords(prefixText('git commit -m "x'))).toEqual(["git", "commit", "-m"]);
    expect(leadingWords({ regex: "rm -rf .*" })).toEqual(["rm", "-rf"]);
    expect(leadingWords({ regex: "git pushx*" })).toEqual(["git"]);
    expect(leadingWords({ regex: "git push|rm" })).toEqual([]);
    expect(leadingWords(globText("npm run te*", noQuestion))).toEqual(["npm", "run"]);
  });

  it("may mean everything", () => {
    for (const glob of ["*", "**"]) expect(meansEverything(globText(glob, always))).toBe(true);
    expect(meansEverything(globText("?", always))).toBe(false);
    expect(matches(toSource(globText("a  b", always), asWritten), "a   b")).toBe(true);
  });
});
