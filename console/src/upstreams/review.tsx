/** Definitions that are new or have changed, each with what changed; accepted exactly as they are shown. */
import type { UpstreamAccepted, UpstreamReview } from "toolgate/contract";
import { useChange, useRead } from "../api/use-read.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { Shown } from "../parts/shown.tsx";
import { Failure, Read } from "../parts/states.tsx";

const words = { new: "new", changed: "changed", "instructions-changed": "instructions changed" } as const;

export function Review({ server }: { readonly server: string }) {
  const base = `api/upstreams/${encodeURIComponent(server)}`;
  const review = useRead<UpstreamReview>(`${base}/review`);
  const accept = useChange<UpstreamAccepted>(["api/upstreams", `${base}/review`, "api/tools"]);
  const take = (items: UpstreamReview["items"]) =>
    accept.mutate({
      path: `${base}/accept`,
      method: "POST",
      body: { items: items.map(({ tool, digest }) => ({ tool, digest })) },
    });
  return (
    <section className="part" aria-label="Definitions that wait">
      <h2>Definitions that wait</h2>
      <p className="quiet">
        A server says what its tools do, and the model believes it. Until you accept a definition, the tool is
        hidden.
      </p>
      {accept.error !== null && <Failure error={accept.error} />}
      {(accept.data?.changedAgain.length ?? 0) > 0 && (
        <p className="opaque">
          Changed again meanwhile, look once more: {accept.data?.changedAgain.join(", ")}
        </p>
      )}
      <Read of={review}>
        {({ items }) => (
          <>
            {items.map((item) => (
              <div key={item.tool} className="part review">
                <p className="actions">
                  <strong className="mono">
                    <Shown line text={item.tool} />
                  </strong>{" "}
                  <span className="asked-word">{words[item.why]}</span>
                  <button
                    type="button"
                    className="end"
                    disabled={accept.isPending}
                    onClick={() => take([item])}
                  >
                    Accept
                  </button>
                </p>
                <DiffView
                  label={`Definition of ${item.tool}`}
                  before={textOf(item.before)}
                  after={textOf(item.after)}
                />
              </div>
            ))}
            {items.length > 1 && (
              <div className="actions">
                <button type="button" disabled={accept.isPending} onClick={() => take(items)}>
                  Accept all {items.length}
                </button>
              </div>
            )}
          </>
        )}
      </Read>
    </section>
  );
}

function textOf(definition: unknown): string {
  return definition === undefined
    ? ""
    : typeof definition === "string"
      ? definition
      : JSON.stringify(definition, null, 2);
}
