/** A denied command in other words: in other spellings, behind runners, and named by an option of another program. */
import { describe, expect, it } from "vitest";
import { findWords, wordsOf } from "../../src/rules/conditions/words-in-order.ts";
import { processorMs } from "../processor-time.ts";
import { approve, denyingOneCommand as denying, command as says, verdict } from "./command-policies.ts";

/** By each way in which a rule can name it. */
async function expectDenied(value: string, command: string, also?: string): Promise<void> {
  for (const operator of ["startsWith", "contains", "usage"] as const)
    expect([operator, await verdict(denying(value, operator), command)]).toEqual([operator, "deny"]);
  if (also !== undefined) expect(await verdict(denying(also, "matches"), command)).toBe("deny");
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
  ["git push", "git -C . push --force"],
  ["git push", "git -c a=b push"],
  ["git push", "git --no-pager push"],
  ["cargo publish", "cargo +nightly publish"],
  ["helm uninstall", "helm -n x uninstall y"],
  ["make deploy", "make -C sub ENV=prod deploy"],
];

describe("an option with a value before the subcommand does not hide a denied command", () => {
  it.each(withValues)("%s stops %s", async (value, command) => {
    await expectDenied(value, command, `^${value}`);
  });

  it.each([
    ["gh pr merge", "gh pr -R owner/repo merge 3"],
    ["docker compose down", "docker compose -f x.yml down"],
  ])("nor one between its words: %s stops %s", async (value, command) => {
    expect(await verdict(denying(value), command)).toBe("deny");
    expect(await verdict(denying(value, "contains"), command)).toBe("deny");
  });

  it("of a program that nobody knows asks, because the word may be a value", async () => {
    expect(await verdict(denying("shipit release"), "shipit --to prod release")).toBe("ask");
    expect(await verdict(denying("shipit release"), "shipit --to prod $X")).toBe("ask");
  });

  it.each([
    ["kubectl delete", "kubectl -n prod get pods"],
    ["npm publish", "npm --prefix pkg run publish"],
    ["git push", "git --no-pager log push"],
    ["git push", "git commit -m push"],
    ["git push", "git stash push"],
    ["shipit release", "shipit --to prod status release"],
  ])("%s leaves %s alone", async (value, command) => {
    expect(await verdict(denying(value), command)).toBe("allow");
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
  ["sudo", "sudo ls"],
  ["sudo rm", "sudo rm x"],
  ["env", "env X=1 ls"],
  ["timeout", "timeout 5 ls"],
  ["/bin/rm", "/bin/rm x"],
  ["/bin/rm", "rm x"],
  ["rm", "/usr/bin/rm x"],
  ["rm -rf", "rm -fr x"],
  ["rm -rf", "rm -f -r x"],
  ["rm -rf", "rm x -rfv"],
  ["git push --force", "git push origin main --force"],
  ["git push --force", "git push --force-with-lease=a --force"],
  ["git push --force", "git push --forc"],
  ["git push -f", "git push -fu origin x"],
  ["rm -rf", "rm -Rf x"],
  ["rm -rf", "rm --recursive --force x"],
  ["rm -rf", "rm -R --forc x"],
  ["rm -rf", "sudo rm --rec -f x"],
  ["rm --recursive", "rm -Rv x"],
])("a command has one meaning in every spelling: %s stops %s", async (value, command) => {
  await expectDenied(value, command);
});

it.each([
  ["rm -rf", "rm -f x"],
  ["rm -rf", "rm -- -Rf"],
  ["rm -rf", "rm --preserve-root x"],
  ["grep -r", "grep -R x ."],
  ["rm -rf", "rm x"],
  ["git push --force", "git push origin main"],
  ["sudo", "ls sudo"],
])("%s does not stop %s", async (value, command) => {
  expect(await verdict(denying(value), command)).not.toBe("deny");
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
    await expectDenied(value, command);
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
    expect(await verdict(denying(value), command)).toBe("allow");
  });

  it("approves nothing by it", async () => {
    expect(await verdict([approve(says("pip install"))], "python -m pip install x")).not.toBe("allow");
    expect(await verdict([approve(says("docker compose down"))], "docker-compose down")).not.toBe("allow");
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
    expect(await verdict(denying("rm"), command)).toBe(await verdict(denying("shipit"), command));
  });
});

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
    await expectDenied("git push", command, "^git push");
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
  const approving = (value: string, operator?: "startsWith" | "usage" | "contains") => [
    approve(says(value, operator)),
  ];

  it.each(["startsWith", "usage", "contains"] as const)("by %s", async (operator) => {
    expect(await verdict(approving("npx eslint", operator), "npx eslint")).toBe("allow");
    for (const command of ["npx rm", "npx eslint && npx rm", "npx rm eslint", "npm exec eslint"])
      expect([command, await verdict(approving("npx eslint", operator), command)]).not.toContain("allow");
    if (operator !== "contains")
      expect(await verdict(approving("eslint", operator), "npx eslint")).not.toBe("allow");
  });

  it("and an approval of a runner's plain use holds as before", async () => {
    expect(await verdict(approving("npx eslint"), "npx eslint src --fix")).toBe("allow");
    expect(await verdict(approving("uv run pytest"), "uv run pytest -q")).toBe("allow");
  });
});

describe("a denied command that an option names is denied", () => {
  it.each([
    "rsync -e 'rm -rf x' a b",
    "rsync -avze 'sh -c \"rm -rf x\"' a b",
    "rsync --rsync-path='rm -rf x' a h:b",
    "make SHELL='rm -rf x'",
    "make --eval='x:; rm -rf y' x",
    "make '--eval=$(shell rm -rf x)'",
    "sort --compress-program='rm -rf x' a",
    "tar xf a --to-command='rm -rf x'",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec='rm -rf x'",
    "tar xf a -I 'rm -rf x'",
    "scp -o ProxyCommand='rm -rf x' a h:",
    "sftp -o 'ProxyCommand rm -rf x' h",
    "git -c core.sshCommand='rm -rf x' fetch",
    "git -c alias.x='!rm -rf x' status",
    "git clone 'ext::rm -rf x' b",
    "zip -T -TT 'rm -rf x' a.zip b",
    "ncat -c 'rm -rf x' h 1",
    "sqlite3 a '.shell rm -rf x'",
    "npm --script-shell 'rm -rf x' run x",
    "npm config set script-shell 'rm -rf x'",
    "cargo --config 'build.rustc=\"rm -rf x\"' build",
    "go test -exec 'rm -rf x' .",
    "fzf --preview 'rm -rf x'",
    "cmake -E env A=1 rm -rf x",
    "hg --config alias.x='!rm -rf x' x",
    "gh alias set x '!rm -rf x'",
    "gnome-terminal -- rm -rf x",
    "ip netns exec x rm -rf y",
  ])("%s", async (command) => {
    await expectDenied("rm -rf", command, "^rm -\\w*r");
  });

  it.each([
    "ssh -o ProxyCommand='rm -rf x' h",
    "man -P 'rm -rf x' ls",
    "less '+!rm -rf x' a",
    "awk 'BEGIN{system(\"rm -rf x\")}'",
    "sed '1e rm -rf x' a",
    "vim -c '!rm -rf x'",
    "GIT_SSH_COMMAND='rm -rf x' git fetch",
    "PAGER='rm -rf x' git log",
    "EDITOR='rm -rf x' git commit",
    "export PAGER='rm -rf x'; man ls",
    "git clone --upload-pack='rm -rf x' a b",
    "git -c alias.x=push x",
  ])("or asks, where it is not read: %s", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toMatch(/^(?:ask|deny)$/);
  });

  it.each([
    "rsync -avze ssh a h:b",
    "rsync -av -e 'ssh -p 22 -i key' a h:b",
    "make SHELL=/bin/bash test",
    "tar -cf a.tar.zst -I 'zstd -19 -T0' b",
    "git -c core.pager=cat log",
    "git commit -m 'core.x=rm -rf x'",
    "npm config set script-shell bash",
    "go test -exec 'sudo -E' ./...",
    "cmake -E copy a b",
    "sort -k2 a",
  ])("%s is left alone", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toBe("allow");
  });
});
