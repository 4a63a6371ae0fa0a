/** The worst rule files that a repository can bring along: too much of everything, and things that are no files. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface HostileProject {
  readonly what: string;
  /** Puts it into a project. `secret`: a file elsewhere that its owner keeps for himself. */
  put(project: string, secret: string): void;
}

/** No byte of it may appear anywhere. */
export const secretText = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ: "Zq7xVt19LmPw"
-----END OPENSSH PRIVATE KEY-----
`;
/** Parts of it that nothing else would say. */
export const secretParts = ["BEGIN", "OPENSSH", "b3BlbnNz", "Zq7xVt19LmPw", "PRIVATE"];

const mebibyte = 1024 * 1024;

/** As many routes as fit, or as many as are wanted. */
export function routes(
  pattern: (index: number) => string,
  { bytes = mebibyte - 100, most = 1e9 } = {},
): string {
  const lines = ["routes:"];
  let length = 8;
  for (let index = 0; index < most; index++) {
    const line = `  r${index}: {tool: Bash, pattern: '${pattern(index)}', message: m}`;
    length += line.length + 1;
    if (length > bytes) break;
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}

const optional = `${"a?".repeat(40)}${"a".repeat(40)}`;

/** By what is in `toolgate.yaml`. */
export const hostileTexts: Readonly<Record<string, string>> = {
  "a mebibyte of counted repeats": routes((index) => `${"[a-z]{1,16}".repeat(20)}${index}`),
  "20,000 patterns": routes((index) => `x${index}`, { most: 20_000 }),
  "nested repeats": routes((index) => `(?:(?:(?:[a-z]{1,9}){1,9}){1,9}){1,9}${index}`),
  "forty optional parts, once": routes(() => optional, { most: 1 }),
  "forty optional parts, in every route": routes((index) => `${optional}${index}`),
  "optional parts in a policy": `policies:\n  p: {tools: Bash, action: deny, conditions: [{type: argument, field: command, operator: matches, value: ['${optional}', '${optional}b']}]}\n`,
  "as many patterns as are read, each as slow as it may be": routes(
    (index) => `${"a?".repeat(16)}${"a".repeat(16)}${index}`,
    { most: 499 },
  ),
  "as many patterns as are read, slow to run": routes((index) => `(?:a|b|ab)*(?:a|b|ab)*x${index}$`, {
    most: 499,
  }),
  "a policy with as many patterns as are read, slow to run": `policies:\n  p: {tools: Bash, action: deny, conditions: [{type: argument, field: command, operator: matches, value: [${Array.from({ length: 499 }, (_, index) => `'(?:a|b|ab)*(?:a|b|ab)*y${index}$'`).join(", ")}]}]}\n`,
  "a bomb of aliases": `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(", ")}]`).join("\n")}\n`,
  "one text repeated by aliases": `a: &a ${"x".repeat(100_000)}\nb: [${Array(10_000).fill("*a").join(", ")}]\n`,
  "a quarter of a mebibyte of the densest YAML": `a: [${"[],".repeat(87_000)}]\n`,
  "a mebibyte of the densest YAML": `a: [${"1,".repeat(mebibyte / 2 - 10)}]\n`,
  "tens of thousands of empty rules": `routes: {${Array.from({ length: 40_000 }, (_, index) => `k${index}: {}`).join(", ")}}\n`,
  "a rule that names 25,000 tools": `policies:\n  p: {action: ask, tools: [${Array.from({ length: 25_000 }, (_, index) => `t${index}`).join(", ")}]}\n`,
  "a rule for 15,000 patterns of names": `policies:\n  p: {action: deny, tools: [${Array.from({ length: 15_000 }, (_, index) => `'*a${index}*b'`).join(", ")}]}\n`,
  "2,500 rules with stars in their names": `policies:\n${Array.from({ length: 2_500 }, (_, index) => `  p${index}: {tools: '${"*a".repeat(20)}', action: deny}\n`).join("")}`,
  "3,500 limits": `limits:\n${Array.from({ length: 3_500 }, (_, index) => `  l${index}: {tools: '*', per: session, max: 9, windowMs: 60000}\n`).join("")}`,
  "a file that is too long": "# x\n".repeat(mebibyte),
};

export const hostileFiles: readonly HostileProject[] = [
  ...Object.entries(hostileTexts).map(
    ([what, text]): HostileProject => ({
      what,
      put: (project) => writeFileSync(join(project, "toolgate.yaml"), text),
    }),
  ),
  ...["toolgate.yaml", "toolgate.yml", ".claude/tool-routes.yaml", ".claude/tool-routes.yml"].map(
    (name): HostileProject => ({
      what: `${name} is a link to a key`,
      put(project, secret) {
        mkdirSync(join(project, ".claude"), { recursive: true });
        symlinkSync(secret, join(project, name));
      },
    }),
  ),
  {
    what: "a link to a link to a key",
    put(project, secret) {
      symlinkSync(secret, join(project, "notes.txt"));
      symlinkSync("notes.txt", join(project, "toolgate.yaml"));
    },
  },
  {
    what: "a second name of a key",
    put: (project, secret) => linkSync(secret, join(project, "toolgate.yaml")),
  },
  {
    what: ".claude is a link to a folder with a key in it",
    put(project, secret) {
      const folder = join(secret, "..", "claude");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "tool-routes.yaml"), secretText);
      symlinkSync(folder, join(project, ".claude"));
    },
  },
  { what: "a link to a device", put: (project) => symlinkSync("/dev/zero", join(project, "toolgate.yaml")) },
  {
    what: "a link to itself",
    put: (project) => symlinkSync("toolgate.yaml", join(project, "toolgate.yaml")),
  },
  {
    what: "a pipe",
    put(project) {
      execFileSync("mkfifo", [join(project, "toolgate.yaml")]);
    },
  },
  { what: "a folder", put: (project) => mkdirSync(join(project, "toolgate.yaml")) },
];
