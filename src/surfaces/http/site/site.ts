/** The pages for people: public files, from memory, with a policy under which nothing else can run in them. */
import type { IncomingMessage } from "node:http";
import { type Answer, type Headers, ready } from "../answer.ts";
import type { SiteFile, SiteFiles } from "./load-site.ts";

export interface Site {
  /** Undefined: there is nothing at this path. */
  find(incoming: Pick<IncomingMessage, "method" | "headers">, path: string): SiteAnswer | undefined;
}

/** Made when the request may be answered. */
export type SiteAnswer = () => Answer | Promise<Answer>;

/** `files` undefined: they were not built. */
export function createSite(files: SiteFiles | undefined): Site {
  const packed = new WeakMap<SiteFile, Promise<Buffer>>();
  return {
    find({ method, headers }, path) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const isNavigation = path === "/" || (isView(path) && headers.accept?.includes("text/html") === true);
      const file = files?.get(path) ?? (isNavigation ? files?.get("/") : undefined);
      if (file !== undefined) return () => answerWith(file, headers, packed);
      return files === undefined && isNavigation ? () => notBuilt : undefined;
    },
  };
}

/** A view of the page, such as `/inbox/abc`: it has no file, and nothing of the API begins so. */
function isView(path: string): boolean {
  return path.length <= 500 && /^(?:\/[\w:%~-][\w:%~.-]*)+$/.test(path) && !taken.test(path);
}

const taken = /^\/(?:api|mcp|metrics|assets|\.well-known)(?:\/|$)/i;

async function answerWith(
  file: SiteFile,
  { "if-none-match": known, "accept-encoding": encodings }: IncomingMessage["headers"],
  packed: WeakMap<SiteFile, Promise<Buffer>>,
): Promise<Answer> {
  const { etag, isHashed, isText, bytes, type } = file;
  const caching = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = { ...siteHeaders, "cache-control": caching, etag };
  if (known !== undefined && isSame(known, etag)) return ready(type, "", { status: 304, headers });
  if (!isText || bytes.length < worthPacking) return ready(type, bytes, { headers });
  const varied = { ...headers, vary: "accept-encoding" };
  if (!/(?:^|[,\s])gzip(?!;q=0(?:\.0*)?(?:,|$))/.test(String(encodings ?? "")))
    return ready(type, bytes, { headers: varied });
  return ready(type, await packOnce(file, packed), { headers: { ...varied, "content-encoding": "gzip" } });
}

const worthPacking = 1_024;

function isSame(known: string, etag: string): boolean {
  return known.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}

function packOnce(file: SiteFile, packed: WeakMap<SiteFile, Promise<Buffer>>): Promise<Buffer> {
  const kept = packed.get(file) ?? pack(file.bytes);
  packed.set(file, kept);
  return kept;
}

/** Loaded when the first browser comes. */
async function pack(bytes: Buffer): Promise<Buffer> {
  const { gzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 9 }, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

/** Only files of our own run, nothing inline, no text becomes code, and nobody frames it. */
export const siteHeaders: Headers = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types toolgate",
  ].join("; "),
  "permissions-policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
};

const notBuilt = ready(
  "text/plain; charset=utf-8",
  "The console was not built. In a clone of toolgate, run: npm run build\nThen start the server again.\n",
  { status: 503 },
);
