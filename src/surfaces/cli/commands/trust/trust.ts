/** `toolgate trust`: trusts project files, so that they can also allow and rewrite calls, after showing what would change. */
import { resolve, sep } from "node:path";
import { findFolders } from "../../../../config/folders.ts";
import {
  addTrust,
  readTrust,
  revokeTrust,
  type TrustedFile,
  trustFile,
} from "../../../../config/trust/trust.ts";
import { visible } from "../../../../core/text/visible.ts";
import { readTextFile } from "../../../../safe/files/documents/read-text-file.ts";
import { explainForPeople } from "../../agent-around.ts";
import { describeProblems } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { changeOnRecord, recordTakenBack } from "../../open/record-change.ts";
import { checkRuleFile } from "../../open/rule-file.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";
import { describeCandidate, findCandidates } from "./candidates.ts";

interface TrustOptions {
  /** Files, or folders with project files in them; by default the project's. */
  readonly targets?: readonly string[] | undefined;
  readonly revoke?: boolean | undefined;
  readonly list?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export async function runTrust(options: TrustOptions, io: CliIo): Promise<number> {
  const { state } = findFolders(io.env);
  const trust = readTrust(state);
  if (!trust.ok)
    return fail(`${trust.message}\nMend that file, or remove it to start with an empty list.`, io);
  if (options.list === true) return listTrust(trust.files, options, io);
  const targets = (options.targets ?? []).map((target) => resolve(io.cwd, target));
  const asked = { ...options, targets, pins: trust.files, state };
  return options.revoke === true ? revoke(asked, io) : addFiles(asked, io);
}

interface Asked extends TrustOptions {
  readonly targets: readonly string[];
  readonly pins: readonly TrustedFile[];
  readonly state: string;
}

async function addFiles({ targets, pins, state, ...options }: Asked, io: CliIo): Promise<number> {
  const found = await findCandidates(targets, pins, io);
  if (!found.ok) {
    io.err(found.message);
    return exitCodes.failed;
  }
  const open = found.candidates.filter(({ trusted }) => !trusted);
  const rules = open.filter(({ isPlugin }) => isPlugin !== true);
  const wrong = (await Promise.all(rules.map(({ file }) => checkRuleFile(file)))).flatMap((file) =>
    file.ok ? [] : file.problems,
  );
  if (wrong.length > 0)
    return fail(
      `${describeProblems(wrong, io.cwd)}Nothing was trusted: a file that cannot be used would have every call denied.`,
      io,
    );
  const said = found.candidates.map((candidate) => describeCandidate(candidate, io)).join("");
  if (options.json !== true) io.out(said);
  else if (open.length > 0) io.err(said);
  if (open.length > 0) {
    const refused = await whyNotNow(options, io);
    if (refused !== undefined) return fail(refused, io);
    // Pinned is the content that was read and shown: a file that changes meanwhile is not trusted.
    const files = open.map(({ file, sha256 }) => ({ path: file, sha256 }));
    await changeOnRecord(io, async () => ({
      result: addTrust(state, files),
      changes: files.map(({ path, sha256 }) => ({
        code: "file_trusted",
        message: `trusts ${path} as it is now.`,
        about: { path, sha256 },
      })),
    }));
  }
  if (options.json === true) {
    const files = found.candidates.map(({ file, sha256, gains }) => ({ file, sha256, gains }));
    printJson({ trusted: files, list: trustFile(state) }, io);
  } else if (open.length > 0) {
    io.out(`Trusted as long as ${open.length === 1 ? "it does" : "they do"} not change.\n`);
  }
  return exitCodes.ok;
}

/** Undefined: go on. */
async function whyNotNow({ yes }: TrustOptions, io: CliIo): Promise<string | undefined> {
  // An agent must not widen its own rules because a message told it to; --yes would be its own yes.
  const refused = explainForPeople("trust", io);
  if (refused !== undefined) return refused;
  if (yes === true) return undefined;
  const answer = await confirm("Trust this?", io);
  if (answer === undefined)
    return "Nothing was changed: there is no terminal to ask at. Run it in one, or say --yes if you have read what is above.";
  return answer ? undefined : "Nothing was changed.";
}

async function revoke({ targets, pins, state, json }: Asked, io: CliIo): Promise<number> {
  const wanted = targets.length > 0 ? targets : [io.cwd];
  // A folder stands for everything trusted in it, also for files that are gone.
  const paths = wanted.flatMap((target) => {
    const inside = pins.filter(
      ({ path }) => path === realPath(target) || path.startsWith(`${realPath(target)}${sep}`),
    );
    return [target, ...inside.map(({ path }) => path)];
  });
  const gone = revokeTrust(state, paths);
  await recordTakenBack(
    gone.map(({ path, sha256 }) => ({
      code: "trust_revoked",
      message: `no longer trusts ${path}.`,
      about: { path, sha256 },
    })),
    io,
  );
  if (json === true) printJson({ revoked: gone }, io);
  else if (gone.length > 0)
    io.out(gone.map(({ path }) => `${shownPath(path, io.cwd)} is no longer trusted.\n`).join(""));
  if (gone.length > 0) return exitCodes.ok;
  return fail(`Nothing there was trusted: ${wanted.map((target) => visible(target)).join(", ")}`, io);
}

function listTrust(pins: readonly TrustedFile[], { json }: TrustOptions, io: CliIo): number {
  const files = pins.map((pin) => ({ ...pin, state: stateOf(pin) }));
  if (json === true) printJson({ files }, io);
  else if (files.length === 0) io.out("No project file is trusted.\n");
  else {
    const lines = files.map(({ path, sha256, at, state }) => {
      const when = at.slice(0, 10);
      return `${visible(path)} (sha256 ${sha256.slice(0, 12)}, ${visible(when)})${shownState[state]}\n`;
    });
    io.out(lines.join(""));
  }
  return exitCodes.ok;
}

const shownState = {
  trusted: "",
  changed: ": has changed since, so it is not trusted now",
  missing: ": is not there any more",
};

function stateOf({ path, sha256 }: TrustedFile): keyof typeof shownState {
  const read = readTextFile(path);
  if (!read.ok) return read.missing ? "missing" : "changed";
  return read.sha256 === sha256 ? "trusted" : "changed";
}
