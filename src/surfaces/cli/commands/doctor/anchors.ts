/** Are the ledger's checkpoints also where the configuration wants them, and do they say the same there? */
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import { examineAnchors } from "../../../../open/open-anchors.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";

const check = "anchors";

export async function checkLedgerAnchors({ settings, folders }: OpenConfig): Promise<SetupFinding[]> {
  const examined = await examineAnchors(settings.ledger?.anchors ?? [], folders.state);
  return examined.map(({ name, failing, differs, takenAt }): SetupFinding => {
    if (differs !== undefined)
      return { check, level: "problem", message: differs, todo: "Keep both, and run: toolgate audit verify" };
    if (failing !== undefined) {
      const since = new Date(failing.since).toISOString();
      const message = `The anchor ${name} takes no checkpoints of the ledger since ${since}: ${failing.why}.`;
      return { check, level: "problem", message, todo: "Mend it, or take it out of ledger.anchors." };
    }
    const message =
      takenAt === undefined
        ? `The anchor ${name} has no checkpoint of the ledger yet; toolgate serve, mcp and tools call bring them.`
        : `The anchor ${name} has the ledger's checkpoints (the last one since ${new Date(takenAt).toISOString()}).`;
    return { check, level: takenAt === undefined ? "info" : "ok", message };
  });
}
