/** What a call would do, taken apart for a person: rendered from the call itself, never from an agent's words. */
import { defined } from "../../../core/input/defined.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { LookedAtCall, LookRequest } from "../../../gate/look-at-call.ts";
import { redactText } from "../../../safe/redact/redact.ts";
import type { CallPreview, PreviewPath } from "../contract.ts";
import { previewFiles } from "./preview-files.ts";
import { createShownPath } from "./preview-path.ts";
import { previewShell } from "./preview-shell.ts";
import { type CallContent, summaryOf } from "./summary.ts";

export interface PreviewRequest extends LookRequest {
  /** Whoever asks may see what is in the files. */
  readonly showContents: boolean;
  /** When a person was asked: files that changed since are marked. */
  readonly askedAt?: number;
  /** Takes secrets out, also those that the store knows. Default: those that look like one. */
  readonly clean?: (text: string) => string;
  readonly signal: AbortSignal;
}

export async function previewCall(gate: Gate, request: PreviewRequest): Promise<CallPreview> {
  const looked = gate.look(request);
  const input = toObject(request.input);
  if (looked === undefined) return unknownCall(request.tool, input);
  const shown = createShownPath(looked);
  const shell = previewShell(looked, shown);
  const files = await previewFiles(looked, shown, { ...request, input });
  const urls = looked.urls.slice(0, mostUrls).map(splitUrl);
  const why = findDangers({ looked, shell, files, urls });
  return defined({
    tool: looked.tool,
    summary: summaryOf(looked.tool, input, { shell, files, urls }),
    danger: why.length === 0 ? ("low" as const) : ("high" as const),
    why,
    shell,
    files,
    urls,
  });
}

const mostUrls = 50;
const taken = "[redacted:";

/** What a second look is worth: it executes and cannot be told, asks the network, or leaves the workspace. */
function findDangers({
  looked,
  shell,
  files,
  urls,
}: CallContent & { readonly looked: LookedAtCall }): string[] {
  const found = new Set<string>();
  if (!looked.isKnown) found.add("nobody here knows the tool");
  if (urls.length > 0) found.add("it uses the network");
  if (looked.unreadable.length > 0) found.add("a part of it cannot be read");
  if (shell !== undefined) {
    const { risk, network, commands, redirects, notUnderstood } = shell;
    if (risk === "opaque" || notUnderstood.length > 0) found.add("a part of it is not understood");
    // What was taken out may be a command of its own, and is not among those that are taken apart here.
    if (shell.line.includes(taken)) found.add("a part of it is not shown");
    if (network) found.add("it uses the network");
    const paths = [...commands.flatMap(({ reads, writes }) => [...reads, ...writes]), ...redirects];
    addPaths(paths, found);
  }
  addPaths(files, found);
  // A tool that only reads does no harm by reading outside; a rule asked for it, and that is said anyway.
  return looked.permission === "read" && shell === undefined ? [] : [...found];
}

function addPaths(paths: readonly Pick<PreviewPath, "inside" | "protected">[], found: Set<string>): void {
  if (paths.some(({ inside }) => !inside)) found.add("it leaves the workspace");
  if (paths.some(({ protected: reason }) => reason !== undefined))
    found.add("it touches something protected");
}

function splitUrl(text: string): CallPreview["urls"][number] {
  const url = URL.parse(text);
  const clean = redactText(text.slice(0, 2_000));
  return { url: clean, host: url?.host ?? "", path: redactText(url?.pathname ?? "") };
}

function unknownCall(tool: string, input: JsonObject): CallPreview {
  const why = ["nobody here knows the tool"];
  return { tool, summary: summaryOf(tool, input), danger: "high", why, files: [], urls: [] };
}

function toObject(input: unknown): JsonObject {
  return isJsonObject(input as Json) ? (input as JsonObject) : {};
}
