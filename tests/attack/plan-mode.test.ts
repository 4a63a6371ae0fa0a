/** Plan mode lets pass what planning needs, and nothing that only looks like it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGate, type Gate } from "../../src/index.ts";

let root: string;
let gate: Gate;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-plan-")));
  mkdirSync(join(root, "sub"));
  gate = await createGate({ roots: [root], policies: [{ name: "yes", tools: "*", action: "approve" }] });
});
afterEach(async () => {
  await gate.close();
  rmSync(root, { recursive: true, force: true });
});

async function plan(tool: string, input: object, more: object = {}): Promise<string> {
  const result = await gate.check({ tool, input, cwd: root, mode: "plan", ...more });
  return result.error?.code ?? result.verdict;
}
const bash = (command: string) => plan("Bash", { command });

describe("questions to package managers in plan mode", () => {
  it.each([
    "npm ls",
    "npm ls --all --json",
    "npm ls --depth=0 react",
    "npm explain react",
    "npm root -g",
    "npm view react versions --json",
    "npm view @types/node@^24 dist-tags.latest",
    "npm outdated",
    "npm --version",
    "pip list",
    "pip list --format=json",
    "pip3 show -f requests",
    "pip check",
    "cargo tree",
    "cargo tree -d --depth 2",
    "cargo metadata --no-deps --format-version 1",
    "go list ./...",
    "go list -deps -test ./cmd/x",
    "go list -m -u all",
    "go list -m -json example.com/a",
    "go mod graph",
    "go env GOPATH",
    "npm ls | head -20 && cargo tree 2>/dev/null",
  ])("pass: %s", async (line) => {
    expect(await bash(line)).toBe("allow");
  });

  it.each([
    "npm install",
    "npm ci",
    "npm run build",
    "npm test",
    "npx cowsay",
    "npm exec x",
    "npm audit fix",
    "npm config set registry http://x.example",
    "npm ls > list.txt",
    "npm ls --script-shell=./x",
    "npm ls --prefix /etc",
    "npm ls --userconfig=./x",
    "npm view x --registry=http://x.example",
    "npm view x --regist http://x.example",
    "npm view http://x.example/a.tgz",
    "npm view git+ssh://x.example/a",
    "npm view ../x",
    'npm view "$(cat .env)"',
    "npm view $SECRET",
    "npm ls $X",
    "NODE_OPTIONS=--require=./x npm ls",
    "npm_config_registry=http://x.example npm view x",
    "yarn list",
    "pnpm ls",
    "pip install x",
    "pip list --python ./x",
    "pip list --log ./x",
    "pip freeze",
    "pip download x",
    "python3 -m pip list",
    "cargo build",
    "cargo tree --config build.rustc='\"./x\"'",
    "cargo tree --manifest-path ../Cargo.toml",
    "cargo tree -Z unstable-options",
    "cargo +evil tree",
    "RUSTC=./x cargo tree",
    "cargo install x",
    "cargo update",
    "go build",
    "go run x.go",
    "go generate ./...",
    "go list -toolexec=./x ./...",
    "go list -export ./...",
    "go list -json ./...",
    "go list -modfile=x.mod ./...",
    "go list -mod=mod ./...",
    "go env -w GOFLAGS=-toolexec=./x",
    "GOFLAGS=-toolexec=./x go list",
    "go mod tidy",
    "./npm ls",
    "npm() { touch x; }; npm ls",
  ])("are refused where they could be more: %s", async (line) => {
    expect(await bash(line)).toBe("plan_mode");
  });

  it.each([
    [".cargo/config.toml", "cargo tree"],
    [".cargo/config", "cargo metadata"],
    ["rust-toolchain.toml", "cargo tree"],
    [".npmrc", "npm view react"],
    [".npmrc", "npm outdated"],
  ])("are refused where %s of the project chooses what runs: %s", async (file, line) => {
    expect(await bash(line)).toBe("allow");
    mkdirSync(join(root, ".cargo"), { recursive: true });
    writeFileSync(join(root, file), "x");
    expect(await bash(line)).toBe("plan_mode");
    // Also from a folder below, and in one that is entered in the line.
    expect(await plan("Bash", { command: line }, { cwd: join(root, "sub") })).toBe("plan_mode");
    rmSync(join(root, file));
    expect(await bash(`cd sub && ${line}`)).toBe("plan_mode");
  });
});

describe("what a surface says that planning needs", () => {
  it("passes, and the same call without its word does not, whichever comes first", async () => {
    const silent = await createGate({ roots: [root] });
    const check = async (isPlanning: boolean) => {
      const request = {
        tool: "Agent",
        input: { prompt: "look" },
        cwd: root,
        mode: "plan" as const,
        isPlanning,
      };
      const result = await silent.check(request);
      return result.error?.code ?? result.verdict;
    };
    expect([await check(true), await check(false), await check(true)]).toEqual([
      "abstain",
      "plan_mode",
      "abstain",
    ]);
  });

  it("is still denied by a rule", async () => {
    await gate.setRules({ policies: [{ name: "no", tools: "Agent", action: "deny", modes: ["plan"] }] });
    expect(await plan("Agent", { prompt: "look" }, { isPlanning: true })).toBe("policy_denied");
  });

  it("does not count for a call that the gate itself runs", async () => {
    const outcome = await gate.dispatch({
      tool: "fs.write",
      input: { path: "a.txt", content: "x" },
      mode: "plan",
      isPlanning: true,
    });
    expect(outcome).toMatchObject({ ok: false });
  });

  it.each(["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "TaskOutput", "TodoWrite", "ExitPlanMode"])(
    "is not needed for the client's own lists: %s",
    async (tool) => {
      expect(await plan(tool, { subject: "x", status: "done" })).toBe("allow");
    },
  );

  it.each(["TaskStop", "CronCreate", "EnterWorktree", "Workflow", "SendMessage", "Write", "NotebookEdit"])(
    "is not there for %s",
    async (tool) => {
      expect(await plan(tool, { file_path: "a", content: "x", script: "1" })).toBe("plan_mode");
    },
  );
});
