/** fs.write: creates a file or replaces it as a whole. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { InferOutput } from "../../../core/tool/schema.ts";
import { keepTextShape, type Refusal } from "../../../safe/files/inside-root/inside-root.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed, flag } from "../input-fields.ts";
import { expectedHash, explainBadHash } from "./expected-hash.ts";
import { withoutExtras } from "./extras.ts";
import { textOfBytes } from "./file-text.ts";
import type { EditingPorts } from "./ports.ts";
import { answer, reportFile } from "./report.ts";
import { inWorkspace, noteSeen, refuseStale, type Workspace } from "./workspace.ts";

const input = closed(["path", "content"], {
  path: { type: "string", description: "The file." },
  content: { type: "string", description: "All of its new text." },
  create_parents: flag("Make missing folders. Default true."),
  expected_sha256: expectedHash,
  keep_endings: flag("Give the text the line breaks the file has. Default true; false writes it exactly."),
});

export function createWrite(ports: EditingPorts) {
  return defineBuiltin("fs.write", {
    title: "Write a file",
    description:
      "Creates a file or replaces all of it. For a change to a part of a file use fs.edit. Line breaks and byte order mark of an existing file are kept.",
    input,
    synonyms: {
      path: pathSynonyms,
      content: ["contents", "file_text"],
      create_parents: ["createParents"],
      expected_sha256: ["expectedSha256"],
      keep_endings: ["keepEndings"],
    },
    annotations: { destructiveHint: true, idempotentHint: true },
    adapt: withoutExtras,
    validate: ({ expected_sha256: hash }) => explainBadHash(hash),
    run: (args, context) =>
      inWorkspace(context, ports, [{ path: args.path }], (workspace) => write(workspace, args)),
  });
}

type WriteArgs = InferOutput<typeof input>;

async function write(workspace: Workspace, args: WriteArgs): Promise<ToolResult> {
  const { files, context, place } = workspace;
  const { path, content, expected_sha256: expected } = args;
  if (!content.isWellFormed()) return failed("content holds half a surrogate pair. Remove it.");
  const old = await files.read(path, place);
  // A file that is too large to be shown can be replaced all the same.
  if (!old.ok && old.code !== "not_found" && old.code !== "too_large") return failed(old);
  const stale = old.ok ? refuseStale(workspace, path, old, expected) : undefined;
  if (stale !== undefined) return failed(stale);
  const before = old.ok ? textOfBytes(old.bytes) : undefined;
  const after =
    before === undefined || args.keep_endings === false ? content : keepTextShape(before, content);
  const bytes = Buffer.from(after);
  if (old.ok && old.bytes.equals(bytes)) {
    noteSeen(workspace, old.absolute, old.hash);
    return unchanged(shownPath(old.absolute, context), old.hash);
  }
  const written = await files.write(path, bytes, {
    ...place,
    makeParents: args.create_parents !== false,
    ...expectation(old, expected),
  });
  if (!written.ok) return failed(written);
  noteSeen(workspace, written.absolute, written.hash);
  const change = { path, absolute: written.absolute, before: old.ok ? old : undefined, after: bytes };
  const report = reportFile({ change, before, after }, context);
  return answer([{ ...report, created: written.created }]);
}

/** Only what was seen a moment ago is replaced: not what another process wrote since. */
function expectation(
  old: { readonly ok: true; readonly hash: string } | Refusal,
  expected: string | undefined,
): { expectedHash?: string | null } {
  if (old.ok) return { expectedHash: old.hash };
  if (expected !== undefined) return { expectedHash: expected.toLowerCase() };
  return old.code === "not_found" ? { expectedHash: null } : {};
}

function unchanged(path: string, sha256: string): ToolResult {
  const facts = { created: false, changed: false, deleted: false, sha256, added: 0, removed: 0, diff: "" };
  return answered(`${path} already has exactly this content. Nothing was changed.`, { path, ...facts });
}
