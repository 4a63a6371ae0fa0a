/** What one can do with the ledger as a whole: verify, replay, export, and the same question for the command line. */
import { useState } from "react";
import { useConsole } from "../api/console-context.tsx";
import { messageOf } from "../api/problem.ts";
import { Copy } from "../parts/copy.tsx";
import { useToasts } from "../parts/toasts.tsx";
import { type LedgerQuery, toCommand } from "./read-query.ts";

/** No record has such a number. */
export const verifyId = "~verify";
export const replayId = "~replay";

export interface LedgerToolsProps {
  readonly query: LedgerQuery;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

export function LedgerTools({ query, selected, onSelect }: LedgerToolsProps) {
  return (
    <span className="actions end">
      <button type="button" aria-pressed={selected === verifyId} onClick={() => onSelect(verifyId)}>
        Verify
      </button>
      <button type="button" aria-pressed={selected === replayId} onClick={() => onSelect(replayId)}>
        Replay
      </button>
      <Export />
      <Copy text={toCommand(query)} label="As command" />
    </span>
  );
}

/** A link cannot send the token, so the page fetches the file and hands it over. */
function Export() {
  const { connection } = useConsole();
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const answer = await connection.open("api/ledger/export");
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = "toolgate-ledger.ndjson";
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      toasts.show({ tone: "refused", text: `The export failed. ${messageOf(error)}` });
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void save()}>
      {isBusy ? "Exporting…" : "Export"}
    </button>
  );
}
