/** Reads the plugin files again, and says which of them are wrong, and where. */
import type { ReloadResult } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useChange } from "../api/use-read.ts";
import { Dialog } from "../parts/dialog.tsx";
import { plural } from "../parts/numbers.ts";
import { Place } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Failure } from "../parts/states.tsx";

export function Reload() {
  const isAdmin = useRight("admin");
  const reload = useChange<ReloadResult>(["api/tools", "api/categories"]);
  if (!isAdmin) return null;
  return (
    <>
      <button
        type="button"
        disabled={reload.isPending}
        onClick={() => reload.mutate({ path: "api/tools/reload", method: "POST", body: {} })}
      >
        {reload.isPending ? "Reloading…" : "Reload plugins"}
      </button>
      {(reload.data !== undefined || reload.error !== null) && (
        <Report result={reload.data} error={reload.error} onClose={() => reload.reset()} />
      )}
    </>
  );
}

function Report({
  result,
  error,
  onClose,
}: {
  readonly result: ReloadResult | undefined;
  readonly error: unknown;
  readonly onClose: () => void;
}) {
  const problems = [...(result?.errors ?? []), ...(result?.warnings ?? [])];
  return (
    <Dialog
      title={result === undefined ? "Not reloaded" : `${plural(result.toolCount, "tool")} now`}
      onClose={onClose}
    >
      {result === undefined && <Failure error={error} />}
      {result !== undefined && problems.length === 0 && <p className="quiet">Every plugin file is fine.</p>}
      <ul className="part">
        {problems.map((problem) => (
          <li key={`${problem.source} ${problem.line ?? ""} ${problem.message}`}>
            <Place file={problem.source} line={problem.line} />
            <p>
              <Shown text={problem.message} />
            </p>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
