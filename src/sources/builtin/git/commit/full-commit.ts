/** Commits as in a terminal, with hooks, filters and signing: only where the operator trusts repositories. */
import { type Git, type Named, nameIn } from "../open-git.ts";

const asConfigured = { asConfigured: true, timeoutMs: 300_000 } as const;

export async function fullCommit(
  git: Git,
  request: { readonly message: string; readonly add: readonly string[] | undefined; readonly only: boolean },
): Promise<Named & { readonly said?: string }> {
  const { message, add, only } = request;
  if (add !== undefined) {
    const added = await git.run(["add", "--all", "--", ...add], asConfigured);
    if (!added.ok) return added;
  }
  const paths = add !== undefined && only ? ["--only", "--", ...add] : [];
  const end = await git.run(["commit", "--cleanup=whitespace", "-F", "-", ...paths], {
    ...asConfigured,
    input: message,
  });
  if (!end.ok) return end;
  return { ...nameIn(await git.run(["rev-parse", "HEAD"])), said: end.stderr.trim() };
}
