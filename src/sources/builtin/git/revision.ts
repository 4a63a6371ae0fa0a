/** Turns a caller's name of a commit into object ids. Git sees that text only as a name to look up. */
import type { Failed } from "../../../core/call/tool-answer.ts";
import { type Git, nameIn } from "./open-git.ts";

export type Revision =
  | { readonly ok: true; readonly kind: "commit"; readonly id: string }
  /** From the first, or from where both parted (`...`), to the second. */
  | {
      readonly ok: true;
      readonly kind: "range";
      readonly from: string;
      readonly to: string;
      readonly dots: ".." | "...";
    }
  | Failed;

/** What a schema says about such a field. */
export const revisionSchema = { type: "string", minLength: 1, maxLength: 200 } as const;

/** `abc123`, `HEAD~2`, `main`, `main..topic`, `main...topic`. */
export async function findRevision(git: Git, text: string): Promise<Revision> {
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/s.exec(text) ?? [];
  if (dots === undefined) return findCommit(git, text);
  const from = await findCommit(git, left || "HEAD");
  if (!from.ok || from.kind !== "commit") return from;
  const to = await findCommit(git, right || "HEAD");
  if (!to.ok || to.kind !== "commit") return to;
  return { ok: true, kind: "range", from: from.id, to: to.id, dots: dots === ".." ? ".." : "..." };
}

async function findCommit(git: Git, text: string): Promise<Revision> {
  const shown = JSON.stringify(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/^-|[\u0000-\u001f\u007f]/.test(text)) {
    const message = `${shown} is not the name of a commit: it must not start with "-" or hold control characters.`;
    return { ok: false, code: "bad_revision", message };
  }
  const found = nameIn(await git.run(["rev-parse", "--verify", "--quiet", `${text}^{commit}`]));
  if (found.ok && /^[0-9a-f]{40,64}$/.test(found.id)) return { ...found, kind: "commit" };
  if (!found.ok && found.code !== "git_failed") return found;
  const message = `There is no commit ${shown}. git.log lists the commits.`;
  return { ok: false, code: "bad_revision", message };
}
