import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../../../src/shell/judge.ts";
import { shapeCommand } from "../../../../src/suggest/shapes/command-shape.ts";
import { usageOf } from "../../../../src/suggest/shapes/usage-of.ts";

function shape(line: string) {
  const [command] = judgeCommand(line, { cwd: "/w" }).commands;
  if (command === undefined) throw new Error(line);
  return shapeCommand(command);
}

function usage(lines: readonly string[], { typed = true, without = [] as string[], times = 2 } = {}) {
  const seen = lines.map((line) => {
    const shaped = shape(line);
    if (!shaped.ok) throw new Error(shaped.why);
    return { shape: shaped.shape, times };
  });
  return usageOf(seen, { typed, without: new Set(without) });
}

describe("the usage of commands that were approved", () => {
  it.each([
    [["npm test"], "npm test"],
    [["npm run lint", "npm run build"], "npm run build|lint"],
    [["npm run a", "npm run b", "npm run c", "npm run d"], "npm run a|b|c|d"],
    [["timeout 30 npm test", "npm test --silent"], "npm test [--silent]"],
    [["eslint src/a.ts", "eslint src/b.ts"], "eslint src/a.ts|src/b.ts"],
    [["eslint src/a.ts", "eslint src/b.ts", "eslint src/c.ts"], "eslint src/NAME.ts"],
    [["eslint src/a.ts", "eslint src/x/b.ts", "eslint --fix src/c.ts"], "eslint [--fix] src/PATH.ts"],
    [
      ["vitest run tests/a.test.ts", "vitest run tests/b.test.ts", "vitest run tests/c.test.ts"],
      "vitest run tests/NAME.test.ts",
    ],
    [["pytest -q", "pytest tests/a.py"], "pytest [-q] [tests/a.py]"],
    [["git commit -m one", "git commit -m two", "git commit -m 'three words'"], "git commit (-m TEXT)"],
    [["make -j4 all", "make -j8 all"], "make (-j4|-j8) all"],
    [["make -j4 all", "make -j8 all", "make -j2 all"], "make (-jNUMBER) all"],
    [["rm -rf dist", "rm -rf build", "rm -rf coverage", "rm -rf out"], "rm (-rf) build|coverage|dist|out"],
    [["git add a/x.ts b/y.ts", "git add a/z.ts"], "git add a/x.ts|a/z.ts|b/y.ts [a/x.ts|a/z.ts|b/y.ts...]"],
    [["go test ./...", "go test -race ./..."], "go test [-race] ./..."],
  ])("of %j is %j", (lines, expected) => {
    expect(usage(lines)).toBe(expected);
  });

  it("leaves out options that were denied, and stays with what was seen where types went too far", () => {
    expect(usage(["eslint src/a.ts", "eslint --fix src/a.ts"], { without: ["--fix"] })).toBe(
      "eslint src/a.ts",
    );
    expect(usage(["eslint src/a.ts", "eslint src/b.ts", "eslint src/c.ts"], { typed: false })).toBe(
      "eslint src/a.ts|src/b.ts|src/c.ts",
    );
  });
});

it.each([
  "git push origin main",
  "git push --force",
  "git rebase main",
  "git reset --hard",
  "git checkout main",
  "git commit --amend",
  "git commit --no-verify -m x",
  "npm install evil",
  "npm publish",
  "npm run",
  "npm test -- --x",
  "npx evil",
  "node -e 1",
  "python3 -c 1",
  "python3 script.py",
  "curl https://a.example",
  "sudo npm test",
  "env A=b npm test",
  "make -f /tmp/x all",
  "make CC=evil",
  "eslint --rulesdir /tmp/x src",
  "pytest -p evil",
  "pytest ../x",
  "rm -rf src",
  "rm -rf dist/../src",
  "rm -rf /",
  "mkdir /etc/x",
  "mkdir ~/x",
  "touch .env",
  "kubectl delete pod x",
  "docker run evil",
  "./npm test",
  "./x/timeout 5 npm test",
  "npm run $X",
  "npm run 'a b'",
  "bun run evil.ts",
  "git fetch ext::evil",
])("commands that are never proposed %s", (line) => {
  expect(shape(line).ok).toBe(false);
});
