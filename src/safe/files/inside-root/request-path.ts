/** Makes parts of the path text of a call, or says why it is no path. Nothing is decoded or expanded. */
import { quoted, type Refusal, refuse } from "./refusal.ts";

export interface RequestedPath {
  readonly ok: true;
  readonly absolute: boolean;
  /** May hold `..`: what that means is decided by the walk, link by link, not by text. */
  readonly parts: readonly string[];
  readonly mustBeDirectory: boolean;
}

const maxPathBytes = 4096;
const maxNameBytes = 255;
const maxParts = 256;

export function parseRequest(path: unknown, platform: string = process.platform): RequestedPath | Refusal {
  if (typeof path !== "string") return refuse("invalid_path", path, "A path must be text.");
  const complaint =
    textComplaint(path) ?? (platform === "win32" ? windowsComplaint(path) : posixComplaint(path));
  if (complaint !== undefined) return refuse("invalid_path", path, `${quoted(path)} ${complaint}`);
  const separator = platform === "win32" ? /[\\/]/ : "/";
  const written = splitAbsolute(path, platform).split(separator);
  const parts = written.filter((part) => part !== "" && part !== ".");
  if (parts.length > maxParts) {
    return refuse("invalid_path", path, `The path has more than ${maxParts} parts. Use a shorter one.`);
  }
  if (parts.some((part) => Buffer.byteLength(part) > maxNameBytes)) {
    return refuse(
      "invalid_path",
      path,
      `A name in the path is longer than ${maxNameBytes} bytes. Use a shorter one.`,
    );
  }
  const last = written.at(-1);
  return {
    ok: true,
    absolute: isAbsolute(path, platform),
    parts,
    mustBeDirectory: last === "" || last === ".",
  };
}

/** The components of an absolute path that we made ourselves. */
export function partsOf(absolute: string): string[] {
  const separator = process.platform === "win32" ? /[\\/]/ : "/";
  return absolute.split(separator).filter((part) => part !== "" && part !== ".");
}

export function joinParts(parts: readonly string[]): string {
  if (process.platform === "win32") return parts.length === 1 ? `${parts[0]}\\` : parts.join("\\");
  return `/${parts.join("/")}`;
}

/** By whole names. */
export function startsWith(parts: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= parts.length && prefix.every((part, index) => part === parts[index]);
}

function textComplaint(path: string): string | undefined {
  if (path === "") return "is empty. Name a file or directory; `.` is the working directory.";
  if (path.includes("\0")) return "holds a NUL byte. Remove it.";
  if (!path.isWellFormed()) return "holds half a surrogate pair, which no file system can store. Remove it.";
  if (Buffer.byteLength(path) > maxPathBytes)
    return `is longer than ${maxPathBytes} bytes. Use a shorter path.`;
  // Taken literally it would make a directory called "~", which a later `rm -rf ~` turns into a disaster.
  if (/^~(?:[\\/]|$)/.test(path))
    return "starts with ~, which is not expanded here. Write the path out in full.";
  return undefined;
}

function posixComplaint(path: string): string | undefined {
  // A legal name here, but a step upwards for whatever reads it with Windows rules.
  if (path.includes("\\") && path.split(/[\\/]/).includes("..") && !path.split("/").includes("..")) {
    return "steps upwards with backslashes. Separate directories with /.";
  }
  return undefined;
}

const windowsDeviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:[. :]|$)/i;

function windowsComplaint(path: string): string | undefined {
  if (/^[\\/]{2}/.test(path)) return "names a device or a network share. Use a path with a drive letter.";
  if (/^[a-z]:(?![\\/])/i.test(path)) return "is relative to a drive. Write the path out in full.";
  if (/^[\\/]/.test(path)) return "has no drive letter. Write the path out in full.";
  for (const part of path.replace(/^[a-z]:/i, "").split(/[\\/]/)) {
    if (part === "" || part === "." || part === "..") continue;
    if (/[:*?"<>|\p{Cc}]/u.test(part))
      return "holds a character that Windows keeps for streams and patterns.";
    if (/[. ]$/.test(part)) return "has a name that ends in a dot or space, which Windows drops. Remove it.";
    if (windowsDeviceName.test(part)) return "is the name of a device. Choose another name.";
  }
  return undefined;
}

function isAbsolute(path: string, platform: string): boolean {
  return platform === "win32" ? /^[a-z]:[\\/]/i.test(path) : path.startsWith("/");
}

function splitAbsolute(path: string, platform: string): string {
  // The drive letter is a component of its own and compared like one.
  return platform === "win32"
    ? path.replace(/^([a-z]):/i, (_, drive: string) => `${drive.toUpperCase()}:`)
    : path;
}
