/** Reads the plugin files again, and says which of them are wrong, and where. */
import { useEffect, useRef } from "react";
import type { ReloadResult } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useChange } from "../api/use-read.ts";
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
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const problems = [...(result?.errors ?? []), ...(result?.warnings ?? [])];
  return (
    <dialog ref={dialog} aria-labelledby="reload-title" onClose={onClose}>
      <div className="part">
        <h2 id="reload-title">
          {result === undefined ? "Not reloaded" : `${plural(result.toolCount, "tool")} now`}
        </h2>
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
        <div className="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </div>
    </dialog>
  );
}
