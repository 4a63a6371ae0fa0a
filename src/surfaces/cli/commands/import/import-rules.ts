/** `toolgate import rules`: shows what policies an agent's permissions become, and writes them after a yes. */
import type { Inexact } from "../../../../agents/permissions/own-rule.ts";
import { ownerTitles, type PermissionOwner } from "../../../../agents/permissions/permission-owners.ts";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { explainForPeople } from "../../agent-around.ts";
import { writeRuleFile } from "../../open/edit-rule-file.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, type JsonOption, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";
import { describeDifference } from "./describe-difference.ts";
import { type PlannedImport, planRules } from "./plan-rules.ts";

export interface ImportRulesOptions extends JsonOption {
  readonly from: PermissionOwner;
  readonly scope?: "user" | "project" | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export async function runImportRules(options: ImportRulesOptions, io: CliIo): Promise<number> {
  const isHarmless = options.dryRun === true;
  const refused = isHarmless ? undefined : explainForPeople("what is approved without asking", io);
  if (refused !== undefined) throw new ToolgateError(refused);
  const scopes = options.scope === undefined ? (["user", "project"] as const) : [options.scope];
  const plans: PlannedImport[] = [];
  for (const scope of scopes) plans.push(await planRules(options.from, scope, io));
  const problems = [...new Set(plans.flatMap((plan) => plan.problems))];
  for (const problem of problems) io.err(`${visible(problem)}\n`);
  if (options.json !== true) io.out(describe(options.from, plans, io));
  const changed = plans.filter(({ before, after }) => before !== after);
  const wants = changed.length > 0 && !isHarmless;
  const written = wants && (await mayWrite(options, io));
  if (written) for (const plan of changed) await writeRuleFile(plan);
  if (options.json === true) printJson({ written, files: plans.map(shownPlan), problems }, io);
  else if (written) io.out(asTyped(afterwards(changed, io), io));
  else if (wants) io.err("Nothing was changed; --yes writes what is shown above.\n");
  return problems.length === 0 && written === wants ? exitCodes.ok : exitCodes.failed;
}

async function mayWrite({ yes, json }: ImportRulesOptions, io: CliIo): Promise<boolean> {
  if (yes === true) return true;
  return json !== true && (await confirm("Write this?", io)) === true;
}

function shownPlan({ file, scope, from, policies, inexact, before, after }: PlannedImport): object {
  return { file, scope, from, changed: before !== after, policies, inexact };
}

function describe(from: PermissionOwner, plans: readonly PlannedImport[], io: CliIo): string {
  const found = plans.filter((plan) => plan.from.length > 0);
  if (found.length === 0) {
    const places = [...new Set(plans.flatMap(({ lookedFor }) => lookedFor))];
    return `${ownerTitles[from]} has no permissions here. Looked for:\n${places.map((place) => `  ${shownPath(place, io.cwd)}\n`).join("")}`;
  }
  return found.map((plan) => describePlan(plan, io)).join("\n");
}

function describePlan({ file, from, before, after, inexact }: PlannedImport, io: CliIo): string {
  const sources = from.map((one) => shownPath(one, io.cwd)).join(", ");
  const head = `${shownPath(file, io.cwd)}, from ${sources}:\n`;
  const change =
    before === after ? "  Nothing would change.\n" : describeDifference(before, after, coloursFor(io));
  return `${head}${change}${describeInexact(inexact, io)}`;
}

/** Said by the person, or by whoever wrote the repository: nothing in it may move what is seen. */
function describeInexact(inexact: readonly Inexact[], io: CliIo): string {
  if (inexact.length === 0) return "";
  const colours = coloursFor(io);
  const lines = inexact.map(({ written, how, why }) => {
    const mark = how === "left" ? colours.dim("-") : colours.yellow("!");
    const what = how === "left" ? "is left out" : "is stricter now";
    return `${mark} ${visible(written, { maxLength: 120 })} ${what}: ${visible(why)}\n`;
  });
  return `Not the same as before:\n${lines.join("")}`;
}

function afterwards(changed: readonly PlannedImport[], io: CliIo): string {
  const done = changed
    .map(({ file }) => `${coloursFor(io).green("✓")} Wrote ${shownPath(file, io.cwd)}.\n`)
    .join("");
  const project = changed.find(({ scope }) => scope === "project");
  const trust =
    project === undefined
      ? ""
      : `What it approves counts when you trust it: toolgate trust ${shownPath(project.file, io.cwd)}\n`;
  return `${done}${trust}Run the tests: toolgate test\n`;
}
