/**
 * The file-read handler: files below one folder that the author fixed. The path is walked by handle from that
 * folder, so links, siblings with the same beginning and swaps in between lead nowhere else; protected files
 * stay closed.
 */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, type Failure, failed } from "../../../core/call/tool-answer.ts";
import { isInside } from "../../../core/input/inside-folder.ts";
import type { JsonSchema } from "../../../core/tool/schema.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { kindOfFile } from "../../../safe/files/file-kind.ts";
import {
  createInsideRoot,
  type FileContents,
  type InsideRoot,
} from "../../../safe/files/inside-root/inside-root.ts";
import { fixedFolder } from "./fixed-folder.ts";
import type { FileReadHandler } from "./handler-shapes.ts";
import type { HandlerPlace, HandlerProblem, Prepared } from "./prepared-handler.ts";
import { propertiesOf } from "./template-properties.ts";
import { wholeNumber } from "./whole-number.ts";

const defaultMaxSize = 1024 * 1024;
const mostMaxSize = 64 * 1024 * 1024;
const timeoutMs = 30_000;

/**
 * The field `path` gets no role: permit judges paths from the working folder of the call, and this one starts
 * at the base. The base is part of the definition, which the person who installed the plugin took; what lies
 * below it needs no question, what lies outside is not reached whatever the answer would be.
 */
export function prepareFileRead(
  handler: FileReadHandler,
  inputSchema: JsonSchema,
  place: HandlerPlace,
): Prepared {
  const size = wholeNumber("maxSize", handler.maxSize, { otherwise: defaultMaxSize, most: mostMaxSize });
  const base = fixedFolder(handler.basePath, place.folder);
  const problems: HandlerProblem[] = [
    ...size.problems,
    ...(base.ok ? findForeignBase(base.absolute, place) : [{ field: "basePath", message: base.message }]),
    ...findWrongInput(inputSchema),
  ];
  if (problems.length > 0 || !base.ok) return problems;
  return {
    permission: "read",
    capabilities: ["fs:read"],
    roles: {},
    timeoutMs,
    validate: ({ path }) =>
      typeof path === "string" && path !== "" ? undefined : "path must be the name of a file.",
    derive: ({ path }) => ({
      boundPath: isAbsolute(String(path)) ? String(path) : `${base.absolute}/${path}`,
    }),
    run: async ({ path }, context) => {
      const files = openBase(base.absolute, size.value, place, context);
      if ("message" in files) return failed(files);
      return read(files, String(path), size.value, context);
    },
  };
}

/** Opened at each call: the folder may appear later, and a folder put in its place is a new one. */
function openBase(
  base: string,
  maxBytes: number,
  { hidden = [], folder, trusted }: HandlerPlace,
  { judgedPaths }: ToolContext,
) {
  let files: InsideRoot;
  try {
    files = createInsideRoot({ roots: [base], maxBytes, statePaths: hidden, only: judgedPaths });
  } catch {
    const message = `The folder ${JSON.stringify(base)}, from which this tool reads, does not exist or is no folder. Whoever installed the plugin has to make it or correct basePath.`;
    return { code: "no_base", message } satisfies Failure;
  }
  // Where nobody vouches for the plugin, a link in its own folder must not stand for a folder elsewhere.
  if (trusted || files.roots.every((real) => isInside(real, realpathSync(folder)))) return files;
  return { code: "foreign_base", message: foreignBase } satisfies Failure;
}

async function read(
  files: InsideRoot,
  path: string,
  maxBytes: number,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const [root = ""] = files.roots;
  const found = await files.read(path, { cwd: root, signal });
  if (!found.ok) return failed(found.code === "too_large" ? tooLarge(path, maxBytes) : found);
  const { kind } = kindOfFile(found.bytes);
  if (kind !== "text") {
    const message = `${JSON.stringify(path)} is not text (${found.size} bytes), so it is not shown.`;
    return failed({ code: "binary_file", message });
  }
  return answered(decode(found), { path: shown(found.absolute, root), size: found.size, sha256: found.hash });
}

/** There is no reading in parts here, so what `safe/` suggests would not help. */
function tooLarge(path: string, maxBytes: number): Failure {
  const message = `${JSON.stringify(path)} is larger than the ${maxBytes} bytes that this tool reads (maxSize in its plugin file).`;
  return { code: "too_large", message };
}

function decode({ bytes }: FileContents): string {
  const start = bytes.subarray(0, 2).toString("hex");
  const encoding = start === "fffe" ? "utf-16le" : start === "feff" ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function shown(absolute: string, root: string): string {
  return relative(root, absolute).split(sep).join("/");
}

const foreignBase =
  "basePath leads outside of the plugin's folder, which only a plugin in a trusted place may do.";

/** A plugin that nobody trusts yet could otherwise name the home folder as its base. */
function findForeignBase(base: string, { folder, trusted }: HandlerPlace): HandlerProblem[] {
  return trusted || isInside(base, folder) ? [] : [{ field: "basePath", message: foreignBase }];
}

function findWrongInput(inputSchema: JsonSchema): HandlerProblem[] {
  const { path } = propertiesOf(inputSchema) as { readonly path?: { readonly type?: unknown } };
  if (path !== undefined && [path.type ?? "string"].flat().includes("string")) return [];
  const message = 'file-read takes its file from the input "path": add it to the input schema as a string.';
  return [{ field: "", message }];
}
