/** `toolgate init` and an old tool-routes.json: turned into YAML, shown, and trusted if the person wants that. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import { addTrust, readTrust } from "../../../../config/trust/trust.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { patternNames } from "../../../../core/tool/tool-pattern.ts";
import type { Route } from "../../../../rules/routes.ts";
import { explainForPeople } from "../../agent-around.ts";
import { describeNotes } from "../../open/effective-config.ts";
import { changeOnRecord } from "../../open/record-change.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import type { CliIo } from "../../terminal/io.ts";
import { convertFile } from "../convert/convert.ts";

export const oldRoutesTarget = ".claude/tool-routes.yaml";

export interface TakeOverOptions {
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Where the list of trusted files is. */
  readonly state: string;
}

export interface TakenOver {
  /** Old files that are YAML now, and those that are not. */
  readonly converted: readonly string[];
  readonly open: readonly string[];
  /** The file that holds them now. */
  readonly file: string | undefined;
  readonly trusted: boolean;
  /** Why not, if the person wanted it. */
  readonly notes: readonly string[];
}

export async function takeOver(options: TakeOverOptions, io: CliIo): Promise<TakenOver> {
  const found = ["tool-routes.json", ".claude/tool-routes.json"].filter((name) =>
    existsSync(join(io.cwd, name)),
  );
  const isYes = (question: string) => answer(question, options, io);
  const converted: string[] = [];
  const notes: string[] = [];
  let file: string | undefined;
  let trusted = false;
  for (const name of found) {
    if (!(await isYes(`Turn ${name} into ${oldRoutesTarget}?`))) continue;
    const done = await convertFile({ file: name, out: oldRoutesTarget }, io);
    if (!done.ok) {
      if (options.json === true) notes.push(done.message.trimEnd());
      else io.err(done.message);
      continue;
    }
    converted.push(name);
    file = join(io.cwd, oldRoutesTarget);
    const { yaml } = done;
    if (options.json === true) notes.push(...done.notes);
    else {
      io.out(describeConverted(name, yaml, io));
      io.err(describeNotes(done.notes, io));
    }
    const problem = (await isYes(`Trust ${oldRoutesTarget}, as it is shown above?`))
      ? await trust(file, yaml, options.state, io)
      : "";
    trusted = problem === undefined;
    if (problem) notes.push(problem);
    if (trusted && options.json !== true)
      io.out(`${coloursFor(io).green("✓")} Trusted ${oldRoutesTarget}.\n`);
  }
  return { converted, open: found.filter((name) => !converted.includes(name)), file, trusted, notes };
}

async function answer(question: string, { yes, json }: TakeOverOptions, io: CliIo): Promise<boolean> {
  return yes === true || (json !== true && (await confirm(question, io)) === true);
}

/** Every route with what it looks for and does: whoever trusts it should have seen it. */
function describeConverted(from: string, yaml: string, io: CliIo): string {
  const parsed = parseConfigFile(yaml, oldRoutesTarget, "routes");
  const routes = parsed.ok ? parsed.file.routes : [];
  const tests = routes.reduce((sum, route) => sum + (route.tests?.length ?? 0), 0);
  const done = coloursFor(io).green("✓");
  const counted = `${plural(routes.length, "route")}, ${plural(tests, "test")}`;
  return `${done} Wrote ${oldRoutesTarget} from ${from}: ${counted}.\n${routes.map(describeRoute).join("")}`;
}

function describeRoute({ name, tool, action = "block", pattern, rewrite }: Route): string {
  const does = rewrite === undefined ? action : `${action} ${JSON.stringify(rewrite)}`;
  return `  ${visible(name)}: ${visible(does)} ${visible(patternNames(tool).join(", "))} where ${visible(pattern)}\n`;
}

/** Pinned is what was written here, byte by byte: a file that changed meanwhile is not trusted. Undefined: done. */
async function trust(file: string, text: string, state: string, io: CliIo): Promise<string | undefined> {
  const known = readTrust(state);
  // The old file came with the repository: what it says is its author's, and an agent may be that author.
  const refused = known.ok ? explainForPeople("trust", io) : known.message;
  if (refused !== undefined) return `${oldRoutesTarget} is not trusted: ${refused}`;
  const sha256 = createHash("sha256").update(text).digest("hex");
  try {
    await changeOnRecord(io, async () => ({
      result: addTrust(state, [{ path: file, sha256 }]),
      changes: [
        {
          code: "file_trusted",
          message: `trusts ${file}, which init made of an old file.`,
          about: { path: file, sha256 },
        },
      ],
    }));
    return undefined;
  } catch (error) {
    return `${oldRoutesTarget} is not trusted: ${messageOf(error)}`;
  }
}
