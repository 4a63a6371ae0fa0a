/** What somebody asks for when a session starts, read and checked, before anything is kept of it. */
import { randomBytes } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { type Caller, isMode, type Mode } from "../../core/call/call.ts";
import { isInside } from "../../core/input/inside-folder.ts";
import type { NewSession, SessionBudget, SessionRecord } from "../../core/ports/sessions.ts";
import { visible } from "../../core/text/visible.ts";
import { categoriesNamed, shippedCategories } from "../../core/tool/categories.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Runner } from "../runner.ts";
import { explainGitFolder, explainMoved, folderKey, realFolder } from "../session-folder.ts";
import { type SessionProblem, sessionProblem } from "../session-problem.ts";
import { chooseRunner, type RunnerChoice } from "./choose-runner.ts";

export interface StartSession {
  readonly prompt: string;
  /** Default: the one that was set up as such, else the first that misses nothing. */
  readonly runner?: string | undefined;
  /** Default: the first folder that sessions may work in. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  /** `false`: none. `true`: those of the gate. `"agent"`: the agent's own, judged by the gate. Default: the runner's. */
  readonly tools?: boolean | "agent" | undefined;
  /** The categories that are on by default, and exactly these. */
  readonly categories?: readonly string[] | undefined;
  readonly budget?: SessionBudget | undefined;
  /** Ends after the first turn. */
  readonly single?: boolean | undefined;
  readonly worktree?: boolean | undefined;
  /** The same key of the same caller starts no second session. */
  readonly key?: string | undefined;
  /** The session whose agent asks for this one. */
  readonly parent?: string | undefined;
  /** For who has promised it before the first prompt is there: `s-` and something random. */
  readonly id?: string | undefined;
}

export interface StartParts extends RunnerChoice {
  readonly id: string;
  readonly by: Caller;
  readonly parent: SessionRecord | undefined;
  readonly roots: readonly string[] | undefined;
  readonly gate: Pick<Gate, "categories">;
}

const deepest = 3;
const longestPrompt = 1_000_000;

export async function readStart(
  request: StartSession,
  parts: StartParts,
): Promise<SessionProblem | { readonly ok: true; readonly session: NewSession }> {
  const { prompt, mode = "act", tools, key, model, system, single = false } = request;
  const { by, id, parent } = parts;
  const runner = await chooseRunner(request.runner ?? parent?.runner, parts);
  if ("ok" in runner) return runner;
  if (typeof prompt !== "string" || prompt.trim() === "") return bad("The prompt is empty.");
  if (prompt.length > longestPrompt) return bad(`The prompt is longer than ${longestPrompt} characters.`);
  if (!isMode(mode)) return bad(`A mode is "act" or "plan", not ${JSON.stringify(mode)}.`);
  if (request.parent !== undefined && parent === undefined)
    return bad(`There is no session ${JSON.stringify(request.parent)} to work for.`);
  const depth = parent === undefined ? 0 : parent.depth + 1;
  if (depth > deepest) return bad(`Sessions may start others ${deepest} deep, not more.`);
  const offer = offerOf(tools, runner);
  if (offer === undefined)
    return bad(
      `The runner ${runner.name} cannot work with tools: ${JSON.stringify(tools)}. It works with: ${runner.offers.map((one) => offered[one]).join(", ")}.`,
    );
  const categories = readCategories(request, parent, parts.gate);
  if (typeof categories === "string") return bad(categories);
  const moved = parent && explainMoved(parent.cwd);
  if (moved !== undefined) return bad(moved);
  const cwd = readFolder(request.cwd ?? parent?.cwd, parent === undefined ? parts.roots : [parent.cwd]);
  if (typeof cwd !== "string") return cwd;
  if (model !== undefined && !/^[^-\p{C}]\P{C}*$/u.test(model))
    return bad(`${JSON.stringify(model.slice(0, 80))} cannot be the name of a model.`);
  // What a child session writes, it writes for its parent, which holds the folder.
  const isPlan = mode === "plan" || parent?.mode === "plan";
  const folder = isPlan || parent !== undefined ? undefined : folderKey(cwd);
  return {
    ok: true,
    session: {
      id,
      epoch: randomBytes(6).toString("hex"),
      owner: parent?.owner ?? by.id,
      runner: runner.name,
      title: titleOf(request.title ?? prompt),
      cwd,
      project: parent?.project ?? cwd,
      folder,
      worktree: parent?.worktree,
      mode: isPlan ? "plan" : mode,
      model,
      system,
      tools: { offer, categories },
      budget: within(request.budget ?? {}, parent === undefined ? {} : leftOf(parent)),
      single,
      parent: parent?.id,
      depth,
      capabilities: parent?.capabilities ?? by.capabilities,
      key,
      createdAt: Date.now(),
    },
  };
}

/** One line of what people see, wherever it is shown. */
function titleOf(text: string): string {
  const [line = ""] = text.trim().split(/[\r\n]/);
  return visible(line, { maxLength: 80 });
}

/** As a request says it, and as the command line does. */
const offered = {
  gate: "true (--tools gate)",
  agent: '"agent" (--tools agent)',
  none: "false (--tools none)",
} as const;

function offerOf(tools: StartSession["tools"], { offers }: Runner): Runner["offers"][number] | undefined {
  if (tools === undefined) return offers[0];
  const wanted = tools === "agent" ? "agent" : tools ? "gate" : "none";
  return offers.includes(wanted) ? wanted : undefined;
}

const defaultOn = shippedCategories.filter(({ enabled }) => enabled).map(({ id }) => id);

/** Undefined: all that are on. A child has no category that its parent has not. */
function readCategories(
  { tools, categories }: StartSession,
  parent: SessionRecord | undefined,
  gate: Pick<Gate, "categories">,
): readonly string[] | undefined | string {
  const most = parent?.tools.categories;
  if (categories === undefined || tools === false) return most;
  const named = categories.flatMap(categoriesNamed);
  for (const name of named) {
    const category = gate.categories.get(name);
    if (category === undefined) return `There is no category ${JSON.stringify(name)}.`;
    if (!category.enabled)
      return `The category "${name}" is switched off in this gate. Whoever runs the gate can switch it on: --enable-tool-categories ${name}, or tools: { enabled_categories: [${name}] } in the configuration.`;
  }
  const wanted = [...new Set([...defaultOn, ...named])];
  return most === undefined ? wanted : wanted.filter((name) => most.includes(name));
}

/** What the parent may still use. */
function leftOf({ budget, usage }: SessionRecord): SessionBudget {
  const { tokens } = budget;
  if (tokens === undefined) return budget;
  return { ...budget, tokens: Math.max(0, tokens - usage.inputTokens - usage.outputTokens) };
}

/** Never more than the parent has. */
function within(budget: SessionBudget, most: SessionBudget): SessionBudget {
  const least = (one: number | undefined, other: number | undefined) =>
    one === undefined ? other : other === undefined ? one : Math.min(one, other);
  return {
    turns: least(budget.turns, most.turns),
    tokens: least(budget.tokens, most.tokens),
    timeMs: least(budget.timeMs, most.timeMs),
  };
}

function readFolder(
  given: string | undefined,
  roots: readonly string[] = [process.cwd()],
): string | SessionProblem {
  const [first = process.cwd()] = roots;
  const asked = given ?? first;
  if (!isAbsolute(asked)) return bad(`cwd must be an absolute path, not ${JSON.stringify(asked)}.`);
  const folder = realFolder(resolve(asked));
  if (folder === undefined) return bad(`There is no folder ${asked}.`);
  const allowed = roots.map((root) => realFolder(root) ?? root);
  if (!allowed.some((root) => isInside(folder, root)))
    return sessionProblem("folder_outside", `${asked} is outside of the folders that sessions may work in.`, {
      hint: `They are: ${allowed.join(", ")}. Whoever runs the gate can add others: sessions: { roots: [...] }.`,
    });
  const ofGit = explainGitFolder(folder);
  return ofGit === undefined ? folder : bad(ofGit);
}

function bad(message: string): SessionProblem {
  return sessionProblem("bad_request", message);
}
