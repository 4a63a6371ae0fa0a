/** Copilot CLI and VS Code read one file of hooks: it is installed for both, and uninstalled for both. */
import type { AgentSetup, SetupResult } from "../agent-setup.ts";

/** `other`: the program that reads the file, too. */
export function inSharedFile(setUp: AgentSetup, other: string): AgentSetup {
  return {
    ...setUp,
    install: (request) =>
      withNote(setUp.install(request), `${other} reads the same file, and asks toolgate, too.`),
    uninstall(request) {
      const result = setUp.uninstall(request);
      const isGone = result.ok && result.files.some(({ change }) => change === "removed");
      return isGone
        ? withNote(result, `${other} read the same file, and does not ask toolgate any more.`)
        : result;
    },
  };
}

export function withNote(result: SetupResult, note: string): SetupResult {
  return result.ok ? { ...result, notes: [...result.notes, note] } : result;
}
