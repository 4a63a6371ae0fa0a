/** git as a way to files that may not be touched: every path it takes, however it is spelt, is judged like any other. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeGit, git } from "../unit/sources/builtin/git/git-gate.ts";
import { verdictsIn } from "./git-verdicts.ts";

const secrets = [
  // Contents, from the work tree, the index and the history.
  "git diff .env",
  "git diff -- .env",
  "git diff HEAD~1 -- src/../.env",
  "git show HEAD:.env",
  "git show HEAD:./.env",
  "git show :.env",
  "git show :0:.env",
  "git show 'HEAD^{tree}:.env'",
  "git cat-file -p HEAD:.env",
  "git cat-file blob @:deploy/keys/server.key",
  "git log -p -- .env",
  "git log -p --all --follow deploy/keys/server.key",
  "git log -L 1,1:.env",
  "git log -L1,1:.env",
  "git log -L :x:.env",
  "git blame .env",
  "git blame HEAD -- .env",
  "git blame --contents .env a.ts",
  "git blame --contents=.env a.ts",
  "git blame -S .env a.ts",
  "git blame --ignore-revs-file=.env a.ts",
  "git grep x -- .env",
  "git grep -e x .env",
  "git grep x HEAD -- .env",
  "git grep -f .env",
  "git grep -f.env",
  "git grep -inf .env",
  "git diff --no-index /dev/null .env",
  "git diff --no-index a.ts ./deploy/keys/server.key",
  "git grep --no-index x",
  "git grep --no-index x src",
  "git grep -n --no-index -e x -- ./src",
  "git grep --untracked --no-exclude-standard x",
  "git diff -O.env",
  "git diff -O .env",
  "git ls-files -X .env",
  "git ls-files -oX.env",
  "git ls-files --exclude-from=.env",
  "cd src && git show HEAD:.env",
  "cd src && git diff -- ../.env",
  "cd src && git show HEAD:deploy/keys/server.key",
  // Spellings of paths that only git knows.
  "git diff -- :/.env",
  "git diff -- ':(top).env'",
  "git diff -- ':(top,icase).ENV'",
  "git diff -- ':(literal).env'",
  "git diff -- ':(icase).ENV'",
  "cd src && git diff -- :/.env",
  "cd deploy && git diff -- ':(top).env'",
  "git diff -- ':/:.env'",
  "git diff -- '.e*'",
  "git diff -- '.e?v'",
  "git diff -- '*env'",
  "git diff -- '*.key'",
  "git diff -- 'deploy/*'",
  "git diff -- 'deploy/**/server.key'",
  "git diff -- '.en[v]'",
  "git diff -- '\\.env'",
  "git diff -- *.env",
  "git log -p -- ':/*.key'",
  "cd src && git diff -- ':/*.key'",
  "git diff -- ':(glob)deploy/**'",
  // Written, deleted, taken away.
  "git checkout .env",
  "git checkout -- .env",
  "git checkout HEAD .env",
  "git checkout HEAD~1 -- .env",
  "git checkout -q HEAD -- ':/.env'",
  "git restore .env",
  "git restore --source=HEAD~1 .env",
  "git restore -sHEAD -- '.e*'",
  "git rm .env",
  "git rm --cached .env",
  "git rm -r 'deploy/*'",
  "git mv .env x",
  "git mv a.ts .env",
  "git reset HEAD -- .env",
  "git stash push -- .env",
  "git stash push .env",
  "git stash -- .env",
  "git clean -f .env",
  "git clean -fx -- src/.env.local",
  "git stash -a",
  "git stash push --all",
  "git stash push -qa src",
  "cd src && git stash --all",
  "git clean -fdx",
  "git clean -fX src",
  "cd src && git clean -xf",
  // Put where everybody sees it.
  "git add .env",
  "git add -f .env",
  "git add -- .env",
  "git add -fN src/.env.local",
  "git add -f .",
  "git add --force src",
  "git add -Af",
  "git add -f :/src",
  "git add 'src/*'",
  "git add '*.local'",
  "git commit .env -m x",
  "git commit -m x -- .env",
  "git commit -am x .env",
  // As text of a message.
  "git commit -F .env",
  "git commit -qF.env",
  "git commit -aqF .env",
  "git commit --file=.env",
  "git commit --file .env",
  "git commit --fil=.env",
  "git commit --fi .env",
  "git commit -t .env",
  "git commit --template=.env",
  "git tag -F .env v1",
  "git tag -aF.env v1",
  "git tag --file=.env v1",
  "git merge -F .env x",
  "git commit --pathspec-from-file=.env -m x",
  "git add --pathspec-from-file .env",
  "git add --pathspec-from=.env",
];

/** More than reading and writing what is named: a program, another repository, a file nobody reads the name of. */
const asked = [
  "git add --pathspec-from-file=list",
  "git restore --pathspec-from-file=list",
  "git push /tmp/other main",
  "git push ../other",
  "git push ./other",
  "git push file:///tmp/other main",
  "git push ext::x main",
  "git push https://example.com/x main",
  "git push git@example.com:x/y main",
  "git push -o x ../other main",
  "git push -ox ../other main",
  "git push -qo x ../other main",
  "git push --push-option x ../other",
  "git push --repo=../other",
  "git push --repo ../other",
  "git push --re=../other",
  "git push -u --follow-tags ../other",
  "git push other main",
  "git push -- other main",
  "git fetch --depth 1 https://example.com/x",
  "git fetch --depth=1 ../other",
  "git fetch -j 4 ../other",
  "git fetch --jobs 4 ../other main",
  "git fetch --multiple origin ../other",
  "git fetch -m origin ../other",
  "git fetch --upload-pack=x origin",
  "git fetch --upl x origin",
  "git pull --rebase ../other",
  "git pull -X ours ../other",
  "git pull -s x origin",
  "git rebase -x 'touch x' HEAD",
  "git rebase -ix 'touch x' HEAD",
  "git rebase --ex='touch x' HEAD",
  "git rebase --strategy=x main",
  "git commit -S -m x",
  "git commit -SKEY -m x",
  "git commit --gpg -m x",
  "git tag -s v1 -m x",
  "git tag -u KEY v1 -m x",
  "git branch --edit-description",
  "git log --output=x",
  "git diff --outp=x",
  "git diff --output x",
  "git grep -O x",
  "git grep -nOx x",
  "git grep --open=x x",
  "git cat-file --batch",
  "git cat-file --textconv HEAD:a.ts",
  "git status --frobnicate",
  "git log --alternate-refs",
  "git bisect run x",
  "git submodule foreach x",
  "git config --file x -l",
  "git apply x",
  "git am x",
  "git archive -o x HEAD",
  "git archive --remote=x HEAD",
  "git bundle create x HEAD",
  'cd "$x" && git status',
];

describeGit("a path that git is given", () => {
  let root = "";
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-git-protected-")));
    git(root, "init", "-q");
    for (const folder of ["src", "deploy/keys"]) mkdirSync(join(root, folder), { recursive: true });
    for (const file of ["a.ts", "src/b.ts", ".env", "deploy/keys/server.key", "deploy/main.tf", "list"])
      writeFileSync(join(root, file), "x\n");
    git(root, "add", "-A");
    git(root, "commit", "-qm", "first");
    // git does not know this one.
    writeFileSync(join(root, "src/.env.local"), "x\n");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is protected in every spelling and place", async () => {
    const verdicts = await verdictsIn(root, secrets);
    expect(verdicts.filter((line) => !line.startsWith("deny "))).toEqual([]);
  });

  it("asks where git would do more than read and write it", async () => {
    const verdicts = await verdictsIn(root, asked);
    expect(verdicts.filter((line) => !line.startsWith("ask ask "))).toEqual([]);
  });

  it("is no obstacle where nothing is protected", async () => {
    const lines = [
      "git diff -- src",
      "git diff -- 'src/*.ts'",
      "git diff -- :/src",
      "git diff -- . ':!.env'",
      "git diff -- ':(exclude).env'",
      "git grep x -- '*.ts'",
      "git show HEAD:src/b.ts",
      "git log -- 'deploy/*.tf'",
      "cd src && git diff -- :/a.ts",
      "git grep --no-index x a.ts",
    ];
    expect(await verdictsIn(root, lines)).toEqual(lines.map((line) => `allow allow ${line}`));
  });
});
