/** A denied command that a runner of packages, environments or secrets is given to run. */
import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { processorMs } from "../processor-time.ts";
import { denyingOneCommand as denying } from "./denying-one-command.ts";

async function verdict(policies: Policy[], command: string): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;
}

describe("a denied command is denied behind a runner", () => {
  it.each([
    "npx git push",
    "npx --yes git push",
    "npx -p git git@latest push",
    "npx -c 'ls; git push'",
    "/usr/bin/npx git push",
    "npm exec -- git push",
    "npm --prefix x exec git push",
    "npm x -- git push",
    "npm exec --call='git push'",
    "pnpm exec git push",
    "pnpm dlx git push",
    "pnpm git push",
    "pnpm --filter x git push",
    "yarn exec git push",
    "yarn dlx -q git push",
    "bunx git push",
    "bun x git push",
    "bun run git push",
    "corepack pnpm exec git push",
    "uv run git push",
    "uv run --with requests -- git push",
    "uv --directory x run git push",
    "uv tool run git push",
    "uvx git push",
    "pipx run git push",
    "poetry -C x run git push",
    "pipenv run git push",
    "pdm run git push",
    "hatch run git push",
    "hatch -e test run git push",
    "hatch run test:git push",
    "rye run git push",
    "conda run -n base git push",
    "bundle exec git push",
    "mise exec node@20 -- git push",
    "mise x -c 'git push'",
    "asdf exec git push",
    "direnv exec . git push",
    "devbox run -- git push",
    "nix shell nixpkgs#git -c git push",
    "nix develop --command bash -c 'git push'",
    "nix-shell -p git --run 'git push'",
    "dotenv -- git push",
    "dotenvx run -- git push",
    "op run --env-file=x -- git push",
    "doppler run -- git push",
    "doppler run --command='git push'",
    "aws-vault exec prod -- git push",
    "cross-env A=1 B=2 git push",
    'concurrently -n a,b "ls" "git push"',
  ])("%s", async (command) => {
    for (const operator of ["startsWith", "contains", "usage"] as const)
      expect([operator, await verdict(denying("git push", operator), command)]).toEqual([operator, "deny"]);
    expect(await verdict(denying("^git push", "matches"), command)).toBe("deny");
  });

  it.each([
    "npx sudo rm -rf x",
    "npx npx uv run rm -rf x",
    "uv run bash -c 'cd x && rm -rf y'",
    "sudo npx rm -fr x",
    "concurrently 'npx rm -rf x'",
    "(cd x; timeout 5 poetry run env A=1 /bin/rm -rf y)",
  ])("however deep it lies: %s", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toBe("deny");
  });

  it.each([
    "npx $X",
    'npx bash -c "$X"',
    "echo 'rm -rf x' | npx sh",
    'concurrently "$X" ls',
    `npx ${"sudo ".repeat(20)} rm -rf x`,
  ])("one that nobody can read asks: %s", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toBe("ask");
  });

  it("asks for one that lies deeper than anybody writes, and soon", async () => {
    const start = processorMs();
    for (const nested of ["npx ", "npx -a ", "concurrently ", "pnpm exec -a "])
      expect(await verdict(denying("rm -rf"), `${nested.repeat(300)} rm -rf x`)).toBe("ask");
    expect(processorMs() - start).toBeLessThan(4_000);
  });

  it.each([
    ["rm", "npx eslint ."],
    ["rm", "npx jest -t 'rm -rf x'"],
    ["rm", "pnpm rm lodash"],
    ["rm", "uv run pytest -k rm"],
    ["git push", "uv run python -c 'print(1)'"],
    ["git push", "concurrently 'npm run dev' 'npm:api'"],
    ["git push", "pnpm build"],
    ["push", "npx semantic-release --dry-run push"],
  ])("%s leaves %s alone", async (value, command) => {
    expect(await verdict(denying(value), command)).toBe("allow");
  });
});

describe("an approval reaches no further for it", () => {
  const approving = (value: string, operator: "startsWith" | "usage" | "contains"): Policy[] => [
    { name: "yes", tools: "Bash", action: "approve", conditions: [{ type: "command", operator, value }] },
  ];

  it.each(["startsWith", "usage", "contains"] as const)("by %s", async (operator) => {
    expect(await verdict(approving("npx eslint", operator), "npx eslint")).toBe("allow");
    for (const command of ["npx rm", "npx eslint && npx rm", "npx rm eslint", "npm exec eslint"])
      expect([command, await verdict(approving("npx eslint", operator), command)]).not.toContain("allow");
    if (operator !== "contains")
      expect(await verdict(approving("eslint", operator), "npx eslint")).not.toBe("allow");
  });

  it("and an approval of a runner's plain use holds as before", async () => {
    expect(await verdict(approving("npx eslint", "startsWith"), "npx eslint src --fix")).toBe("allow");
    expect(await verdict(approving("uv run pytest", "startsWith"), "uv run pytest -q")).toBe("allow");
  });
});
