/** Reads the files of the site once, when the server starts: no path of a request ever touches the disk. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { quietly } from "../../../core/run/quietly.ts";

export interface SiteFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Its name changes with its content: browsers need not ask again. */
  readonly isHashed: boolean;
  /** Text is worth packing; pictures are packed already. */
  readonly isText: boolean;
}

/** By the path in the address: `/assets/main-B2x9.js`. The page itself is `/`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>;

/** Undefined: there is no page in this folder. */
export function loadSite(folder: string): SiteFiles | undefined {
  const files = new Map<string, SiteFile>();
  const found = quietly(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  for (const entry of found) {
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file).split(sep).join("/");
    const type = types.get(extname(entry.name));
    // What is not on the list is not for browsers: source maps, notes. Links are not followed.
    if (!entry.isFile() || type === undefined || !/^[\w./-]+$/.test(name)) continue;
    if (statSync(file).size > maxFileBytes) continue;
    const isPage = name === "index.html";
    const read = readFileSync(file);
    const bytes = isPage ? Buffer.from(absoluteNames(read.toString("utf8"))) : read;
    const isText = !/^(?:image\/(?!svg)|font\/)/.test(type);
    const etag = `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`;
    const isHashed = /^assets\/.+-[\w-]{8,}\.\w+$/.test(name);
    files.set(isPage ? "/" : `/${name}`, { type, bytes, etag, isHashed, isText });
  }
  return files.has("/") ? files : undefined;
}

const maxFileBytes = 8 * 1024 * 1024;

/** The page is also shown at `/inbox/x`, from where a relative name would lead elsewhere. */
function absoluteNames(page: string): string {
  return page.replaceAll(/(\s(?:src|href)=")\.\//g, "$1/");
}

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
  [".woff2", "font/woff2"],
  [".json", "application/json"],
  [".webmanifest", "application/manifest+json"],
  [".txt", "text/plain; charset=utf-8"],
]);
