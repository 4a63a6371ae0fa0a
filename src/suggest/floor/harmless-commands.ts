/**
 * Commands that a rule may be proposed for: building, testing, formatting, looking. This is an allow list, and all
 * of a command has to be on it: program, subcommand, every option. What is not here is never proposed, however often
 * it was approved: interpreters with code, downloads, pushes, rewritten history, deletions outside of build folders.
 */
import { wordSet } from "../../core/text/words.ts";
import type { OperandType } from "../../rules/conditions/usage.ts";

export interface HarmlessCommand {
  /** The words that it begins with: `["git", "add"]`. */
  readonly words: readonly string[];
  /** Options without a value. */
  readonly flags: ReadonlySet<string>;
  /** Options with one, behind `=` or as the next word, and what it may be. */
  readonly values: ReadonlyMap<string, OperandType | "pinned">;
  /**
   * Options that change what is printed or how fast, and nothing else: only these may come and go in a rule. Any
   * other belongs to the words that it was seen with: `prettier --check src` says nothing of `--write`.
   */
  readonly mere: ReadonlySet<string>;
  /** Whether the value may stand at the option itself: `-j4`. */
  readonly joined: ReadonlySet<string>;
  /** What other words may be. `pinned`: only those that were seen. */
  readonly operands: OperandType | "pinned" | "build-folder" | "none";
  /** How many of them at most: a second word for `git switch -c` is a place to take other files from. */
  readonly mostOperands: number;
  /** It runs code of the project or removes its files: what is approved in one says nothing about another. */
  readonly runsProject: boolean;
}

interface Row {
  readonly flags?: string;
  /** `-n=NUMBER` */
  readonly values?: string;
  readonly joined?: string;
  readonly mere?: string;
  readonly operands?: HarmlessCommand["operands"];
  readonly mostOperands?: number;
  readonly looks?: true;
}

const testFlags =
  "--silent --quiet -q --verbose -v --ci --coverage --no-coverage --bail --run --passWithNoTests --runInBand -i --no-color --color";
const npmRun: Row = {
  flags: "--silent -s --if-present --workspaces -ws",
  mere: "--silent -s",
  operands: "pinned",
};
const npmTest: Row = { flags: "--silent -s --if-present --workspaces -ws", mere: "--silent -s" };
const eslint: Row = {
  flags: "--fix --quiet --cache --no-color --color",
  values: "--max-warnings=NUMBER",
  mere: "--quiet --no-color --color --max-warnings",
  operands: "PATH",
};
const prettier: Row = { flags: "--check --write -c -w -l --list-different", operands: "PATH" };
const vitest: Row = {
  flags: testFlags,
  values: "--reporter=pinned -t=NAME --testNamePattern=NAME --maxWorkers=NUMBER --bail=NUMBER",
  mere: "--silent --quiet -q --verbose -v --bail --runInBand -i --no-color --color -t --testNamePattern --maxWorkers",
  operands: "PATH",
};
/** Its first word may be a subcommand: `vitest init` installs what it likes. */
const bareVitest: Row = { ...vitest, operands: "none" };
const tsc: Row = {
  flags: "--noEmit -b --build --pretty --skipLibCheck --strict",
  values: "-p=PATH --project=PATH",
  mere: "--pretty",
};
const biome: Row = { flags: "--write --no-errors-on-unmatched --error-on-warnings", operands: "PATH" };
const pytest: Row = {
  flags:
    "-q -qq -v -vv -x -s --lf --ff --last-failed --failed-first --co --collect-only --no-header --exitfirst --cov",
  values: "--tb=pinned -n=NUMBER --maxfail=NUMBER -k=NAME --durations=NUMBER",
  mere: "-q -qq -v -vv -x -s --lf --ff --no-header --exitfirst --last-failed --failed-first --tb -n --maxfail -k --durations",
  operands: "PATH",
};
const mypy: Row = {
  flags: "--strict --pretty --no-error-summary",
  mere: "--pretty --no-error-summary",
  operands: "PATH",
};
const ruff: Row = {
  flags: "--fix --check --diff --quiet -q --no-fix",
  mere: "--quiet -q",
  operands: "PATH",
};
const cargo: Row = {
  flags:
    "--release --all --workspace --all-features --all-targets -q --quiet -v --verbose --locked --offline --lib --bins --tests --no-run --check",
  values: "-p=NAME --package=NAME -j=NUMBER --test=NAME",
  mere: "-q --quiet -v --verbose -j",
  operands: "NAME",
};
const go: Row = {
  flags: "-v -race -short -cover",
  values: "-count=NUMBER -run=NAME -timeout=pinned",
  mere: "-v -race -short -cover -count -run -timeout",
  operands: "PATH",
};
const jvm: Row = {
  flags: "-q -o --offline --quiet --info --stacktrace -B --batch-mode -ntp --no-daemon",
  mere: "-q --quiet --info --stacktrace -B --batch-mode -ntp",
};
const dotnet: Row = {
  flags: "--no-restore --no-build --nologo",
  values: "-c=pinned --configuration=pinned -v=pinned",
  mere: "--nologo -v",
  operands: "PATH",
};
const gitCommit: Row = {
  flags: "-a -s --signoff -q --quiet --all -v",
  values: "-m=TEXT -am=TEXT --message=TEXT",
  mere: "-q --quiet -v",
};
const gitBranch: Row = { flags: "-q --quiet", mere: "-q --quiet", operands: "PATH", mostOperands: 1 };
const ghLook: Row = {
  flags: "--comments --web=false",
  values: "-L=NUMBER --limit=NUMBER --state=pinned -s=pinned",
  mere: "--comments -L --limit --state -s",
  operands: "NUMBER",
  looks: true,
};
const dockerLook: Row = {
  flags: "-a --all -q --quiet --no-trunc",
  mere: "-a --all -q --quiet --no-trunc",
  looks: true,
};

const rows: readonly (readonly [string, Row])[] = [
  ["npm test|npm t|pnpm test|yarn test|bun test", npmTest],
  ["npm run|npm run-script|pnpm run|yarn run", npmRun],
  ["eslint|npx eslint|pnpm eslint|yarn eslint|pnpm exec eslint", eslint],
  ["prettier|npx prettier|pnpm prettier|yarn prettier|pnpm exec prettier", prettier],
  [
    "jest|npx jest|pnpm jest|vitest run|npx vitest run|pnpm vitest run|pnpm exec vitest run|yarn jest",
    vitest,
  ],
  ["vitest|npx vitest|pnpm vitest", bareVitest],
  ["tsc|npx tsc|pnpm tsc|yarn tsc|pnpm exec tsc", tsc],
  [
    "biome check|biome lint|biome format|biome ci|npx biome check|npx biome lint|npx biome format|npx @biomejs/biome check",
    biome,
  ],
  ["pytest|python -m pytest|python3 -m pytest|uv run pytest|poetry run pytest", pytest],
  ["mypy|python -m mypy|python3 -m mypy|uv run mypy|black|isort|flake8|pyright|npx pyright", mypy],
  ["ruff check|ruff format|uv run ruff check|uv run ruff format", ruff],
  ["cargo test|cargo build|cargo check|cargo clippy|cargo fmt|cargo doc|cargo bench", cargo],
  ["go test|go build|go vet|go fmt", go],
  [
    "make|gmake|just",
    {
      flags: "-s -k --silent --keep-going",
      values: "-j=NUMBER --jobs=NUMBER",
      joined: "-j",
      mere: "-s --silent -j --jobs",
      operands: "pinned",
    },
  ],
  [
    "mvn test|mvn compile|mvn verify|mvn package|gradle test|gradle build|gradle check|./gradlew test|./gradlew build|./gradlew check|./mvnw test|./mvnw verify",
    jvm,
  ],
  [
    "dotnet build|dotnet test|dotnet format|swift build|swift test|mix test|mix format|bundle exec rspec|rspec",
    dotnet,
  ],
  ["terraform fmt|terraform validate", { flags: "-recursive -check -diff" }],
  ["git add", { flags: "-A -u --all --update -v", mere: "-v", operands: "PATH" }],
  ["git commit", gitCommit],
  ["git switch -c|git checkout -b", gitBranch],
  ["git stash list|git stash show", { looks: true }],
  ["git fetch", { flags: "--all --tags -q --quiet", mere: "-q --quiet", operands: "pinned", looks: true }],
  ["mkdir", { flags: "-p -v --parents", mere: "-p -v --parents", operands: "PATH" }],
  ["touch", { operands: "PATH" }],
  ["rm", { flags: "-r -f -rf -fr -v --recursive --force", mere: "-v", operands: "build-folder" }],
  [
    "kubectl get pods|kubectl get deployments|kubectl get services|kubectl get nodes|kubectl get events",
    { values: "-n=pinned --namespace=pinned", looks: true },
  ],
  ["docker ps|docker images|docker compose ps", dockerLook],
  [
    "docker logs|docker compose logs",
    { values: "--tail=NUMBER -n=NUMBER", mere: "--tail -n", operands: "NAME", looks: true },
  ],
  [
    "gh pr view|gh pr list|gh pr checks|gh pr diff|gh pr status|gh issue view|gh issue list|gh run list|gh run view|gh repo view",
    ghLook,
  ],
];

/** They run nothing that lies in the project, and mean the same everywhere. Hooks run with a commit. */
const sameEverywhere = new Set(["git add", "mkdir", "touch"]);

const table = new Map<string, HarmlessCommand>(
  rows.flatMap(([names, row]) => names.split("|").map((name) => [name, toCommand(name, row)] as const)),
);
const mostWords = Math.max(...[...table.values()].map(({ words }) => words.length));

/** The longest beginning of the command that is known: `git stash list` before `git stash`. */
export function findHarmless(argv: readonly string[]): HarmlessCommand | undefined {
  for (let count = Math.min(mostWords, argv.length); count > 0; count--) {
    const found = table.get(argv.slice(0, count).join(" "));
    if (found?.words.every((word, index) => argv[index] === word) === true) return found;
  }
  return undefined;
}

const buildFolders = wordSet(
  "dist build out target coverage .next .nuxt .turbo .cache .pytest_cache .mypy_cache .ruff_cache __pycache__ htmlcov storybook-static",
);

/** What a build makes again. */
export function isBuildFolder(path: string): boolean {
  const parts = path.replace(/^\.\//, "").replace(/\/$/, "").split("/");
  return (
    parts.every((part) => part !== ".." && part !== "" && part !== ".") && buildFolders.has(parts[0] ?? "")
  );
}

function toCommand(
  name: string,
  { flags = "", values = "", mere = "", joined = "", operands = "none", mostOperands = 64, looks }: Row,
): HarmlessCommand {
  const words = name.split(" ");
  return {
    words,
    flags: wordSet(flags),
    values: new Map(parts(values).map((one) => one.split("=") as [string, OperandType | "pinned"])),
    mere: wordSet(mere),
    joined: wordSet(joined),
    operands,
    mostOperands,
    runsProject: looks !== true && !sameEverywhere.has(name),
  };
}

function parts(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}
