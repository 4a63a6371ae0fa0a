import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { findWords, wordsOf } from "../../src/rules/conditions/words-in-order.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { processorMs } from "../processor-time.ts";
import { denyingOneCommand as denying } from "./denying-one-command.ts";

async function verdict(policies: Policy[], command: string): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;
}

const withValues: readonly [string, string][] = [
  ["kubectl delete", "kubectl -n prod delete pod x"],
  ["kubectl delete", "kubectl --context prod --namespace x delete pod x"],
  ["kubectl delete", 'kubectl -n "$NS" delete pod x'],
  ["docker push", "docker --context prod push x"],
  ["npm publish", "npm --prefix pkg publish"],
  ["npm publish", "npm --silent -w pkg publish"],
  ["gh pr merge", "gh -R owner/repo pr merge 3"],
  ["git push", "git --attr-source HEAD push"],
  ["cargo publish", "cargo +nightly publish"],
  ["helm uninstall", "helm -n x uninstall y"],
  ["make deploy", "make -C sub ENV=prod deploy"],
];

describe("an option with a value before the subcommand does not hide a denied command", () => {
  it.each(withValues)("%s stops %s", async (value, command) => {
    for (const operator of ["startsWith", "contains", "usage"] as const)
      expect([operator, await verdict(denying(value, operator), command)]).toEqual([operator, "deny"]);
    expect(await verdict(denying(`^${value}`, "matches"), command)).toBe("deny");
  });

  it.each([
    ["gh pr merge", "gh pr -R owner/repo merge 3"],
    ["docker compose down", "docker compose -f x.yml down"],
  ])("nor one between its words: %s stops %s", async (value, command) => {
    expect(await verdict(denying(value, "startsWith"), command)).toBe("deny");
    expect(await verdict(denying(value, "contains"), command)).toBe("deny");
  });

  it("of a program that nobody knows asks, because the word may be a value", async () => {
    expect(await verdict(denying("shipit release", "startsWith"), "shipit --to prod release")).toBe("ask");
    expect(await verdict(denying("shipit release", "startsWith"), "shipit --to prod $X")).toBe("ask");
  });

  it.each([
    ["kubectl delete", "kubectl -n prod get pods"],
    ["npm publish", "npm --prefix pkg run publish"],
    ["git push", "git --no-pager log push"],
    ["git push", "git commit -m push"],
    ["git push", "git stash push"],
    ["shipit release", "shipit --to prod status release"],
  ])("%s leaves %s alone", async (value, command) => {
    expect(await verdict(denying(value, "startsWith"), command)).toBe("allow");
  });

  it("is found in one pass over a long line", () => {
    const argv = `docker${" --x compose".repeat(20_000)}`.split(" ");
    const words = wordsOf(argv, (index) => argv[index] === "--x");
    const start = processorMs();
    expect(findWords(words, ["docker", "compose", "down"], false)).toEqual({ found: false, mayGoOn: true });
    expect(processorMs() - start).toBeLessThan(1_000);
  });
});

it.each([
  ["rm -rf", "rm -Rf x"],
  ["rm -rf", "rm --recursive --force x"],
  ["rm -rf", "rm -R --forc x"],
  ["rm -rf", "sudo rm --rec -f x"],
  ["rm --recursive", "rm -Rv x"],
])("rm has one meaning in every spelling: %s stops %s", async (value, command) => {
  for (const operator of ["startsWith", "contains", "usage"] as const)
    expect([operator, await verdict(denying(value, operator), command)]).toEqual([operator, "deny"]);
});

it.each([
  ["rm -rf", "rm -f x"],
  ["rm -rf", "rm -- -Rf"],
  ["rm -rf", "rm --preserve-root x"],
  ["grep -r", "grep -R x ."],
])("%s does not stop %s", async (value, command) => {
  expect(await verdict(denying(value, "startsWith"), command)).not.toBe("deny");
});

describe("another name of the same act does not hide it", () => {
  it.each([
    ["git push", "git send-pack origin main"],
    ["git push", "git -C x send-pack origin main"],
    ["git push", "git subtree push --prefix a origin b"],
    ["git push", "/usr/lib/git-core/git-push origin"],
    ["npm publish", "npm pub"],
    ["npm publish", "npm --prefix x publ --tag y"],
    ["npm publish", "yarn npm publish"],
    ["npm publish", "npx npm publ"],
    ["yarn publish", "yarn npm publish"],
    ["npm install", "npm i x"],
    ["npm install", "npm inst x"],
    ["npm i", "npm install x"],
    ["npm uninstall", "npm rm x"],
    ["npm rm", "npm uninstall x"],
    ["npm run", "npm run-script x"],
    ["docker compose down", "docker-compose down"],
    ["docker compose down", "docker-compose -f x.yml down"],
    ["docker-compose down", "docker compose -f x.yml down"],
    ["docker push", "docker image push x"],
    ["pip install", "pip3.12 install x"],
    ["pip install", "python3 -m pip install x"],
    ["pip3 install", "python -m pip install x"],
    ["python -m pip install", "pip install x"],
    ["twine upload", "uv run python -m twine upload x"],
    ["helm uninstall", "helm del x"],
  ])("%s stops %s", async (value, command) => {
    for (const operator of ["startsWith", "contains", "usage"] as const)
      expect([operator, await verdict(denying(value, operator), command)]).toEqual([operator, "deny"]);
  });

  it("is told to a pattern as well", async () => {
    expect(await verdict(denying("^npm publish", "matches"), "npm publ")).toBe("deny");
    expect(await verdict(denying("^docker compose down", "matches"), "docker-compose down")).toBe("deny");
  });

  it.each([
    ["npm publish", "npm pack"],
    ["npm publish", "npm run publish"],
    ["npm install", "npm ci"],
    ["npm unpublish", "npm un x"],
    ["rm", "npm rm x"],
    ["git push", "git subtree pull --prefix a b c"],
    ["docker compose down", "podman-compose down"],
    ["docker compose down", "docker-compose up -d"],
    ["pip install", "python -m pytest"],
  ])("%s leaves %s alone", async (value, command) => {
    expect(await verdict(denying(value, "startsWith"), command)).toBe("allow");
  });

  it("approves nothing by it", async () => {
    const approving = (value: string): Policy[] => [
      {
        name: "a",
        tools: "Bash",
        action: "approve",
        conditions: [{ type: "command", operator: "startsWith", value }],
      },
    ];
    expect(await verdict(approving("pip install"), "python -m pip install x")).not.toBe("allow");
    expect(await verdict(approving("docker compose down"), "docker-compose down")).not.toBe("allow");
  });
});

describe("a denied command that another program is given to run asks or is denied", () => {
  it.each([
    "git bisect run rm -rf x",
    "git bisect run /bin/rm -fr x",
    "git submodule foreach --recursive 'git clean; rm -rf x'",
    "git submodule foreach rm -rf x",
    "git rebase -x 'rm -rf x' HEAD~1",
    "git filter-branch --tree-filter 'rm -rf x'",
    "git difftool -x 'rm -rf x'",
    "git -c core.pager='rm -rf x' log",
    "git grep -O'rm -rf x' hi",
    "git grep --open-files-in-pager='rm -rf x' hi",
    "npm exec -c 'rm -rf x'",
    "npx -p tool --call='rm -rf x'",
    "rg --pre 'rm -rf x' hi",
    "split --filter='rm -rf x' a.txt",
    "nodemon --exec 'ls; rm -rf x'",
  ])("%s", async (command) => {
    for (const operator of ["startsWith", "contains", "usage"] as const)
      expect(await verdict(denying("rm -rf", operator), command)).toMatch(/^(?:ask|deny)$/);
    expect(await verdict(denying("^rm -\\w*r", "matches"), command)).toMatch(/^(?:ask|deny)$/);
  });

  it.each([
    "git bisect run npm test",
    "git submodule foreach 'git pull'",
    "git remote rm origin",
    "gh pr create --title x --body 'never rm -rf x'",
    "npm exec -c 'npm test'",
    "npm test -- -t 'rm -rf x'",
  ])("%s does not", async (command) => {
    expect(await verdict(denying("rm", "startsWith"), command)).toBe(
      await verdict(denying("shipit", "startsWith"), command),
    );
  });
});
