/** What the parts of a line before a git command may have changed about the repository that git finds. */
import type { JudgedCommand } from "../../../core/ports/command.ts";
import type { Walk } from "../../walk.ts";

/** What runs code may do anything anyway; only what merely writes is looked at here. */
export function earlierParts(walk: Walk, directories: readonly string[]): "nothing" | "writes" | "layout" {
  const writers = walk.commands.filter(({ risk }) => risk === "write");
  const redirects = walk.redirects.filter(({ access }) => access === "write");
  if (writers.length === 0 && redirects.length === 0) return "nothing";
  const layout =
    redirects.some(({ path }) => isOfRepository(path)) ||
    writers.some(
      (command) => mayLayOut(command) || command.writes.some((path) => holdsOne(path, directories)),
    );
  return layout ? "layout" : "writes";
}

function mayLayOut({ argv, globs, unknownPaths }: JudgedCommand): boolean {
  if (globs.length > 0 || unknownPaths) return true;
  // Whole folders bring whatever is in them.
  if (
    argv.some((word) => /^-[A-Za-z]*[rRa]|^--(?:recursive|archive)$/.test(word)) &&
    COPIES.has(argv[0] ?? "")
  )
    return true;
  return argv.slice(1).some(isOfRepository);
}

function isOfRepository(path: string): boolean {
  return NAMES.test(path.slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1).replace(/\/+$/, ""));
}

/** `mv evil docs && cd docs`: the folder itself is another one then. */
function holdsOne(path: string, directories: readonly string[]): boolean {
  const folder = path.replace(/^(?:\.\/+)+|\/+\.?$/g, "");
  return directories.some((directory) => {
    const place = directory.replace(/\/+\.?$/, "");
    return (
      place === folder ||
      place.startsWith(`${folder}/`) ||
      place.endsWith(`/${folder}`) ||
      place.includes(`/${folder}/`)
    );
  });
}

const COPIES = new Set(["cp", "rsync", "install", "tar", "mv", "ln"]);

/**
 * The parts of a repository, and hooks. Upper and lower case are one where the disk does not tell them apart.
 */
const NAMES =
  /^(?:head|config|config\.worktree|objects|refs|commondir|\.git|hooks|(?:pre|post)-[a-z-]+|prepare-commit-msg|commit-msg|applypatch-msg|reference-transaction)$/i;
