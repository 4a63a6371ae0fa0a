/** What can be seen in an agent's files about whether it really asks toolgate, for every agent alike. */
import { accessSync, constants, existsSync } from "node:fs";
import type { CheckedSetup, InstalledHook, ProjectPlace } from "../agent-setup.ts";
import { readTextFile } from "../read-json-file.ts";
import { ok, problem, type SetupFinding, warning } from "../setup-finding.ts";
import type { FilePart } from "./file-part.ts";
import { readHookLine } from "./hook-line.ts";
import { commandIn, isNamed } from "./hook-lines.ts";

export interface ExaminedAgent {
  readonly name: string;
  readonly title: string;
  readonly projectVariable?: string | undefined;
}

export function examineParts(
  agent: ExaminedAgent,
  parts: readonly FilePart[],
  place: ProjectPlace,
): CheckedSetup {
  const looked = parts.map((part) => lookAt(agent, part, place));
  const installed = looked.flatMap((one) => one.installed);
  return {
    findings: [...countFindings(agent, installed), ...looked.flatMap(({ findings }) => findings)],
    covered: [],
    installed,
  };
}

function countFindings({ name, title }: ExaminedAgent, installed: readonly InstalledHook[]): SetupFinding[] {
  const check = "hooks-installed";
  const [file, ...more] = new Set(installed.map((hook) => hook.file));
  if (file === undefined)
    return [
      problem(
        check,
        `${title} does not ask toolgate: no hook is installed.`,
        `Run: toolgate install ${name}`,
      ),
    ];
  if (more.length === 0) return [ok(check, `${title} asks toolgate before each tool call (${file}).`)];
  return [
    warning(
      check,
      `Each tool call is checked ${more.length + 1} times: the hook is in ${[file, ...more].join(" and ")}.`,
      `Keep one: toolgate uninstall ${name}, or the same with --scope project.`,
    ),
  ];
}

interface Looked {
  readonly findings: readonly SetupFinding[];
  readonly installed: readonly InstalledHook[];
}

function lookAt(agent: ExaminedAgent, part: FilePart, place: ProjectPlace): Looked {
  const read = readTextFile(part.file);
  const reinstall = `Run: toolgate install ${agent.name}`;
  if (read.state === "missing") return { findings: [], installed: [] };
  if (read.state === "broken")
    return { findings: [problem("settings", `${part.file}: ${read.why}.`, reinstall)], installed: [] };
  const readable = part.take(read.text);
  if (!readable.ok)
    return { findings: [problem("settings", `${part.file}: ${readable.message}.`)], installed: [] };
  const before = part.find(read.text).filter(({ isBefore }) => isBefore);
  const { projectVariable } = agent;
  const variables = projectVariable === undefined ? {} : { [projectVariable]: place.projectDir };
  const installed = before.map(
    ({ line }): InstalledHook => ({
      file: part.file,
      command: "/bin/sh",
      args: ["-c", line],
      variables,
      words: readHookLine(line, variables),
    }),
  );
  return {
    findings: [
      ...checkForm(agent, part, read.text),
      ...installed.flatMap((hook) => checkFiles(hook, reinstall)),
    ],
    installed,
  };
}

/** What somebody put around the line, took from it or wrote beside it can turn a denial into a pass. */
function checkForm({ name }: ExaminedAgent, part: FilePart, text: string): SetupFinding[] {
  const found = part.find(text);
  if (found.length === 0) return [];
  // A file may hold only what comes after a call, and agents may share one with one line.
  const { line } = found.find(({ isBefore }) => isBefore) ?? found[0] ?? { line: "" };
  const words = readHookLine(line);
  const again = words === undefined ? undefined : part.put(text, commandIn(words));
  if (again?.ok === true && again.text === text) return [];
  return [
    problem(
      "hook-entry",
      `${part.file}: toolgate's entries are not as toolgate writes them, so its answer may be lost.`,
      `Look at them. Then run: toolgate install ${name}`,
    ),
  ];
}

function checkFiles({ file, words = [] }: InstalledHook, todo: string): SetupFinding[] {
  const [program = "", , node = ""] = words;
  const isScript = isNamed(program, "hook.sh");
  const needed = [
    program,
    ...(isScript ? [program.replace(/hook\.sh$/, "hook.cjs")] : []),
    ...(isScript && node.includes("/") ? [node] : []),
  ];
  const missing = needed.find((one) => !existsSync(one));
  const found = (message: string) => [problem("hook-file", `${file} names ${message}.`, todo)];
  if (missing !== undefined) return found(`${missing}, which is not there`);
  if (!isExecutable(program)) return found(`${program}, which is not executable`);
  return [];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
