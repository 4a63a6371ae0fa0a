/** The one shape in which file operations say no: a code, and a message that says what to do next. */

export type RefusalCode =
  | "invalid_path"
  | "outside_root"
  | "root_changed"
  | "protected"
  | "not_found"
  | "not_a_file"
  | "not_a_directory"
  | "hard_link"
  | "too_large"
  | "too_many_links"
  | "stale"
  | "exists"
  | "not_empty"
  | "denied"
  | "changed"
  | "cross_device"
  | "cancelled"
  | "io_error";

export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly message: string;
  /** The path as it was asked for. */
  readonly path: string;
}

export function refuse(code: RefusalCode, path: unknown, message: string): Refusal {
  return { ok: false, code, message, path: typeof path === "string" ? path : String(path) };
}

/** For a message that starts with the path. */
export function refusePath(code: RefusalCode, path: string, message: string): Refusal {
  return refuse(code, path, `${quoted(path)} ${message}`);
}

/** In the words for an error of the operating system. */
export function refuseAs(errno: string, path: string): Refusal {
  const [code, message] = byErrno[errno] ?? [
    "io_error",
    `failed with ${errno}. Try again or look at the disk.`,
  ];
  return refusePath(code, path, message);
}

/** Quoted for a message: control characters of a hostile name never reach a terminal raw. */
export function quoted(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}...` : path);
}

/** What the operating system refused, as a value; anything that is not its refusal is a bug and thrown on. */
export function refusalFromErrno(error: unknown, path: string): Refusal {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  return refuseAs(errno, path);
}

export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR_") ? code : undefined;
}

type Words = readonly [code: RefusalCode, message: string];

const noAccess: Words = [
  "denied",
  "may not be used by this process: the file system refuses it. Ask the owner to change its permissions.",
];
const notRegular: Words = ["not_a_file", "is not a regular file. Only regular files can be read or written."];
const tooManyOpen: Words = [
  "io_error",
  "could not be opened: too many files are open. Try again in a moment.",
];

const byErrno: Readonly<Record<string, Words>> = {
  ENOENT: ["not_found", "does not exist. List its directory to see which names are there."],
  ENOTDIR: [
    "not_a_directory",
    "goes through something that is not a directory. List its parent to see what is there.",
  ],
  EISDIR: ["not_a_file", "is a directory. Name a file inside it, or list it."],
  EACCES: noAccess,
  EPERM: noAccess,
  EROFS: ["denied", "is on a read-only file system. Choose a path that can be written."],
  ETXTBSY: ["denied", "is a program that is running now. Stop it first."],
  EBUSY: ["denied", "is in use by the system. Try again later."],
  EEXIST: ["exists", "exists already. Choose another name, or say that it may be replaced."],
  ENOTEMPTY: ["not_empty", "is a directory that is not empty. Say recursive to remove what is in it."],
  ENAMETOOLONG: ["invalid_path", "is too long for the file system. Use a shorter path."],
  EINVAL: ["invalid_path", "is not a path that the file system can use here."],
  ELOOP: ["too_many_links", "is a chain of links that does not end. Name the real file."],
  EXDEV: ["cross_device", "cannot be moved to another file system. Read it, write it there, then remove it."],
  ENXIO: notRegular,
  ENODEV: notRegular,
  EFBIG: ["too_large", "would be larger than the file system allows."],
  ENOSPC: ["io_error", "could not be written: the disk is full. Free some space first."],
  EDQUOT: ["io_error", "could not be written: the disk quota is used up. Free some space first."],
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  ESTALE: ["changed", "was replaced while it was used. Try again."],
};
