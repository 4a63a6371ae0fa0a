/** What an editing tool answers: one line on what happened, the diff, and the same as data. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import type { FileChange } from "./journal/commit.ts";
import { hashOf } from "./journal/record.ts";
import type { AppliedEdit } from "./match/apply-edits.ts";
import type { Rung } from "./match/find.ts";
import { shortDiff } from "./short-diff.ts";

export interface FileReport {
  readonly path: string;
  readonly created: boolean;
  readonly changed: boolean;
  readonly deleted: boolean;
  readonly sha256?: string;
  readonly added: number;
  readonly removed: number;
  readonly diff: string;
  readonly edits?: readonly ReportedEdit[];
}

interface ReportedEdit {
  readonly match: Rung;
  readonly lines: readonly number[];
  /** It changed a part of a line. */
  readonly insideLine?: true;
}

export interface ChangedFile {
  readonly change: FileChange;
  /** As text; undefined where there is none, or where it is no text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly applied?: readonly AppliedEdit[];
}

export function reportFile(file: ChangedFile, context: Pick<ToolContext, "cwd">): FileReport {
  const { before, after, applied } = file;
  const { absolute, before: old, after: fresh } = file.change;
  const path = shownPath(absolute, context);
  const isText =
    (old === undefined) === (before === undefined) && (fresh === undefined) === (after === undefined);
  const diff = isText ? shortDiff(path, before, after) : { text: "(not text)", added: 0, removed: 0 };
  return {
    path,
    created: old === undefined,
    changed: true,
    deleted: fresh === undefined,
    ...(fresh !== undefined && { sha256: hashOf(fresh) }),
    added: diff.added,
    removed: diff.removed,
    diff: diff.text,
    ...(applied && { edits: applied.map(reportEdit) }),
  };
}

function reportEdit({ rung, lines, insideLine }: AppliedEdit): ReportedEdit {
  return { match: rung, lines, ...(insideLine && { insideLine }) };
}

/** Many files share the room that one has. */
const mostCharacters = 12_000;

export function answer(reports: readonly FileReport[], notes: readonly string[] = []): ToolResult {
  const [only] = reports;
  const lines = reports.map((report) => {
    const verb = report.deleted ? "Deleted" : report.created ? "Created" : "Changed";
    return `${verb} ${report.path} (+${report.added} -${report.removed}).${places(report)}${doubts(report)}`;
  });
  let room = mostCharacters;
  const diffs: string[] = [];
  for (const { diff } of reports) {
    if (diff.length > room) {
      diffs.push(`… ${reports.length - diffs.length} more diffs; read the files to see them`);
      break;
    }
    room -= diff.length;
    diffs.push(diff);
  }
  return answered(
    [...lines, ...notes, "", ...diffs].join("\n"),
    reports.length === 1 ? only : { files: reports },
  );
}

/** Says when an edit took more than one place, or less than a line: the caller may have meant otherwise. */
function places({ edits = [] }: FileReport): string {
  const count = edits.reduce((sum, { lines }) => sum + lines.length, 0);
  const inside = edits.find(({ insideLine }) => insideLine === true);
  if (count === edits.length && inside === undefined) return "";
  const where = inside === undefined ? "" : `, inside line ${inside.lines[0]}`;
  return ` ${count} ${count === 1 ? "place" : "places"}${where}.`;
}

/** A match that was not exact is said, so that the reader looks at the diff. */
function doubts({ edits = [] }: FileReport): string {
  const loose = edits.filter(({ match }) => match !== "exact");
  if (loose.length === 0) return "";
  const [first] = loose;
  const where = `line ${first!.lines[0]}`;
  const guess = first!.match === "fuzzy" ? "only similar text was found" : `found by "${first!.match}"`;
  return ` Not an exact match at ${where} (${guess}): check the diff.`;
}
