/** Are the ledger's checkpoints also where the configuration wants them, and do they say the same there? */
import { info, ok, problem, type SetupFinding } from "../../../../agents/setup-finding.ts";
import { examineAnchors } from "../../../../open/open-anchors.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";

const check = "anchors";

export async function checkLedgerAnchors({ settings, folders }: OpenConfig): Promise<SetupFinding[]> {
  const examined = await examineAnchors(settings.ledger?.anchors ?? [], folders.state);
  return examined.map(({ name, failing, differs, takenAt }): SetupFinding => {
    if (differs !== undefined) return problem(check, differs, "Keep both, and run: toolgate audit verify");
    if (failing !== undefined) {
      const since = new Date(failing.since).toISOString();
      const message = `The anchor ${name} takes no checkpoints of the ledger since ${since}: ${failing.why}.`;
      return problem(check, message, "Mend it, or take it out of ledger.anchors.");
    }
    if (takenAt === undefined)
      return info(
        check,
        `The anchor ${name} has no checkpoint of the ledger yet; toolgate serve, mcp and tools call bring them.`,
      );
    const last = new Date(takenAt).toISOString();
    return ok(check, `The anchor ${name} has the ledger's checkpoints (the last one since ${last}).`);
  });
}
