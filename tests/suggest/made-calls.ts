/** What agents ask for in a made-up year, and how the people of each project answer. */
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Random } from "./random.ts";

export interface Project {
  readonly name: string;
  readonly people: readonly string[];
  readonly agent: string;
  /** The more, the more of the year's sessions. */
  readonly share: number;
  readonly calls: readonly CallMaker[];
}

/** What a person does with it. Without one of these they say yes. */
export type Habit =
  | { readonly deny: string; readonly often?: number }
  | { readonly edit: (input: JsonObject) => JsonObject; readonly often?: number };

export interface CallMaker {
  readonly tool: string;
  readonly askedFor: string;
  /** How often, beside the others of the project. */
  readonly weight: number;
  readonly input: (random: Random) => JsonObject;
  /** The rules let it pass without a question. */
  readonly free?: true;
  readonly habit?: Habit;
  /** No rule may ever be proposed that approves it. */
  readonly floor?: true;
}

type More = Partial<Pick<CallMaker, "free" | "habit" | "floor">>;

const words =
  "cart order price stock user auth mail search index cache queue report login token theme list".split(" ");
const folders = "core web api lib jobs views".split(" ");

/** Calls of a tool whose input is made from one text. */
const callsOf =
  (tool: string, askedFor: string, input: (text: string, random: Random) => JsonObject) =>
  (weight: number, text: (random: Random) => string, more: More = {}): CallMaker => ({
    tool,
    askedFor,
    weight,
    input: (random) => input(text(random), random),
    ...more,
  });
const constant = (random: Random) => `const ${random.pick(words)} = ${random.below(100)};`;

const shell = callsOf("shell.exec", "Bash", (command) => ({ command }));
const edit = callsOf("fs.edit", "Edit", (file_path, random) => ({
  file_path,
  old_string: constant(random),
  new_string: constant(random),
}));
const write = callsOf("fs.write", "Write", (file_path, random) => ({
  file_path,
  content: `// ${random.pick(words)} ${random.hex(6)}\n`,
}));
const fetchPage = callsOf("web.fetch", "WebFetch", (url, random) => ({
  url,
  prompt: `What about ${random.pick(words)}?`,
}));
const read = callsOf("fs.read", "Read", (file_path) => ({ file_path }));

function mcp(weight: number, name: string, input: CallMaker["input"], more: More = {}): CallMaker {
  return { tool: name, askedFor: name, weight, input, ...more };
}

const reads: readonly CallMaker[] = [
  shell(14, (r) => `git diff --stat HEAD~${1 + r.below(4)}`, { free: true }),
  shell(12, (r) => `rg -n ${r.pick(words)} src`, { free: true }),
  shell(10, (r) => `ls -la src/${r.pick(folders)}`, { free: true }),
  read(30, (r) => `src/${r.pick(folders)}/${r.pick(words)}.ts`, { free: true }),
];

/** Approved every time, and still never a rule. */
const floor: readonly CallMaker[] = [
  shell(5, (r) => `git push origin feature/${r.pick(words)}-${r.below(900)}`, { floor: true }),
  shell(2, (r) => `python3 -c "print(${r.below(99)})"`, { floor: true }),
  shell(2, (r) => `curl -X POST https://ci.example.com/builds/${r.below(9000)}/retry`, { floor: true }),
  shell(1, () => "sudo systemctl restart nginx", { floor: true }),
  shell(1, (r) => `rm -rf /tmp/scratch-${r.hex(4)}`, { floor: true }),
  shell(1, (r) => `bash -c 'make clean && ./tools/gen.sh ${r.below(9)}'`, { floor: true }),
  shell(1, (r) => `git rebase -i HEAD~${2 + r.below(5)}`, { floor: true }),
];

const refused: readonly CallMaker[] = [
  shell(2, (r) => `git push --force origin feature/${r.pick(words)}`, {
    habit: { deny: "Never force-push; use --force-with-lease after asking." },
    floor: true,
  }),
  shell(1, (r) => `npm publish --tag ${r.pick(["latest", "next"])}`, {
    habit: { deny: "Releases are made by CI." },
    floor: true,
  }),
  shell(1, (r) => `terraform apply -auto-approve -target=module.${r.pick(words)}`, {
    habit: { deny: "Nobody applies from a laptop." },
    floor: true,
  }),
];

/** Its secret was taken out before anything was written. */
const redacted = shell(
  1,
  (r) => `gh api /repos/acme/${r.pick(words)} -H "Authorization: Bearer [redacted: token]"`,
  { floor: true },
);

const shop: Project = {
  name: "shop",
  people: ["console:ann", "console:cem"],
  agent: "claude-code",
  share: 5,
  calls: [
    ...reads,
    ...floor,
    ...refused,
    redacted,
    shell(20, (r) => `npx vitest run tests/${r.pick(folders)}/${r.pick(words)}.test.ts`),
    shell(8, () => "npm test"),
    shell(6, () => "npm run lint"),
    shell(4, () => "npm run build"),
    shell(3, (r) => `timeout ${r.pick([30, 60, 120])} npm test`),
    shell(8, (r) => `git add src/${r.pick(folders)}/${r.pick(words)}.ts`),
    shell(6, (r) => `git commit -m "${r.pick(words)}: fix the ${r.pick(words)}"`),
    shell(3, (r) => `git checkout -b feature/${r.pick(words)}-${r.below(900)}`),
    shell(3, () => "git fetch origin"),
    shell(4, (r) => `mkdir -p src/${r.pick(folders)}/${r.pick(words)}`),
    shell(3, () => "rm -rf dist"),
    edit(26, (r) => `src/${r.pick(folders)}/${r.pick(words)}.ts`),
    edit(6, (r) => `tests/${r.pick(folders)}/${r.pick(words)}.test.ts`),
    write(8, (r) => `src/${r.pick(folders)}/${r.pick(words)}-${r.below(40)}.ts`),
    edit(1, () => ".github/workflows/ci.yml", { habit: { deny: "CI is changed by the platform team." } }),
    fetchPage(6, (r) => `https://nodejs.org/api/${r.pick(["fs", "http", "net", "url", "path"])}.html`),
    fetchPage(4, (r) => `https://developer.mozilla.org/en-US/docs/Web/API/${r.pick(words)}`),
    mcp(6, "mcp__tracker__get_issue", (r) => ({ id: `SHOP-${100 + r.below(900)}` })),
    mcp(3, "mcp__tracker__list_issues", (r) => ({ project: "SHOP", state: r.pick(["open", "closed"]) })),
    mcp(1, "mcp__chat__post_message", (r) => ({ channel: "#general", text: `${r.pick(words)} is done` }), {
      habit: { deny: "Do not post for me." },
      floor: true,
    }),
  ],
};

const api: Project = {
  name: "api",
  people: ["console:ann", "console:dee"],
  agent: "codex",
  share: 3,
  calls: [
    ...reads,
    ...floor,
    ...refused,
    shell(22, (r) => `pytest tests/test_${r.pick(words)}.py -k ${r.pick(words)}`),
    shell(8, () => "pytest -q"),
    shell(8, () => "ruff check src"),
    shell(4, () => "ruff format src"),
    shell(4, () => "mypy src"),
    shell(6, (r) => `cd services/${r.pick(folders)} && pytest -q`),
    shell(6, (r) => `git commit -m "${r.pick(words)}: ${r.pick(words)} by ${r.pick(words)}"`),
    edit(24, (r) => `src/app/${r.pick(words)}.py`),
    edit(4, (r) => `migrations/${1000 + r.below(400)}_${r.pick(words)}.sql`, {
      habit: { deny: "Migrations are written by hand.", often: 0.8 },
    }),
    fetchPage(
      6,
      (r) => `https://docs.python.org/3/library/${r.pick(["json", "re", "os", "sys", "abc"])}.html`,
    ),
    mcp(4, "mcp__tracker__get_issue", (r) => ({ id: `API-${100 + r.below(900)}` })),
  ],
};

/** `npm` is a slip here: people change it each time. */
const npmToPnpm: Habit = {
  edit: (input) => ({ ...input, command: String(input.command).replace(/^npm\b/, "pnpm") }),
};

const desk: Project = {
  name: "desk",
  people: ["console:eva"],
  agent: "claude-code",
  share: 2,
  calls: [
    ...reads,
    ...floor,
    shell(12, () => "npm test", { habit: npmToPnpm }),
    shell(6, () => "npm run lint", { habit: npmToPnpm }),
    shell(10, (r) => `pnpm --filter ${r.pick(["app", "ui", "shared"])} test`),
    shell(6, () => "pnpm run build"),
    shell(8, () => "cargo test --workspace"),
    shell(8, (r) => `cargo build -p ${r.pick(["desk", "desk-core", "desk-ui"])}`),
    shell(6, () => "cargo clippy --all-targets"),
    edit(24, (r) => `crates/${r.pick(["desk", "desk-core", "desk-ui"])}/src/${r.pick(words)}.rs`),
    fetchPage(5, (r) => `https://docs.rs/${r.pick(["serde", "tokio", "anyhow"])}/latest/${r.pick(words)}/`),
  ],
};

const infra: Project = {
  name: "infra",
  people: ["console:fay"],
  agent: "gemini-cli",
  share: 1,
  calls: [
    ...reads,
    ...floor,
    ...refused,
    shell(14, () => "terraform fmt -check"),
    shell(8, () => "terraform validate"),
    shell(8, (r) => `terraform plan -target=module.${r.pick(words)}`),
    shell(6, (r) => `kubectl get pods -n ${r.pick(["dev", "stage"])}`),
    shell(3, (r) => `kubectl delete pod ${r.pick(words)}-${r.hex(5)} -n prod`, {
      habit: { deny: "Hands off prod." },
      floor: true,
    }),
    edit(14, (r) => `modules/${r.pick(words)}/main.tf`),
  ],
};

export const projects: readonly Project[] = [shop, api, desk, infra];
