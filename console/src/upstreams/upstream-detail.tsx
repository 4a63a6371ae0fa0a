/** One server: what is wrong, what it offers, and which definitions a person has to look at. */
import type { Upstream } from "toolgate/contract";
import { Link } from "wouter";
import { useRight } from "../api/console-context.tsx";
import { useChange } from "../api/use-read.ts";
import { Icon } from "../parts/icons.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { count, plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Failure } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { Review } from "./review.tsx";

export function UpstreamDetail({ upstream }: { readonly upstream: Upstream }) {
  const isAdmin = useRight("admin");
  const restart = useChange(["api/upstreams"]);
  const { server, state, problem, retryAt, serverInfo, refused, misnamed, pending, instructions } = upstream;
  return (
    <div className="detail">
      <div className="detail-head">
        <p>
          <StateWord of={state} />
        </p>
        <h2>
          <Shown line text={server} />
        </h2>
      </div>
      {problem !== undefined && (
        <div className="note refused">
          <Icon name="warn" />
          <div>
            <p>
              <Shown text={problem} limit={2_000} />
            </p>
            {retryAt !== undefined && (
              <p className="quiet">
                Tried again <Ago at={retryAt} />.
              </p>
            )}
          </div>
        </div>
      )}
      {isAdmin && (
        <div className="actions">
          <button
            type="button"
            disabled={restart.isPending}
            onClick={() =>
              restart.mutate({
                path: `api/upstreams/${encodeURIComponent(server)}/restart`,
                method: "POST",
                body: {},
              })
            }
          >
            {restart.isPending ? "Restarting…" : "Restart"}
          </button>
        </div>
      )}
      {restart.error !== null && <Failure error={restart.error} />}
      {pending.length > 0 &&
        (isAdmin ? (
          <Review server={server} />
        ) : (
          <p className="quiet">
            {plural(pending.length, "definition waits", "definitions wait")}. Only an administrator can accept{" "}
            {pending.length === 1 ? "it" : "them"}.
          </p>
        ))}
      <dl className="facts">
        <dt>Tools</dt>
        <dd>
          <Link href={`/tools?q=${encodeURIComponent(server)}`}>{count(upstream.tools)}</Link>
        </dd>
        <dt>Calls</dt>
        <dd>
          {count(upstream.calls)}, {count(upstream.running)} running
        </dd>
        <dt>Speaks</dt>
        <dd>
          {upstream.transport}
          {upstream.protocolVersion !== undefined && `, MCP ${upstream.protocolVersion}`}
        </dd>
        {serverInfo !== undefined && (
          <>
            <dt>Says it is</dt>
            <dd>
              <Shown line text={`${serverInfo.name} ${serverInfo.version}`} />
            </dd>
          </>
        )}
        {upstream.pid !== undefined && (
          <>
            <dt>Process</dt>
            <dd>{upstream.pid}</dd>
          </>
        )}
        {upstream.permission !== undefined && (
          <>
            <dt>May at most</dt>
            <dd>{upstream.permission}</dd>
          </>
        )}
      </dl>
      {refused.length > 0 && (
        <div className="part">
          <h3>Tools that cannot be offered</h3>
          <ul>
            {refused.map(({ tool, message }) => (
              <li key={tool}>
                <code>
                  <Shown line text={tool} />
                </code>{" "}
                <Shown text={message} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {misnamed.length > 0 && (
        <div className="part">
          <h3>Named in the configuration, but not there</h3>
          <ul>
            {misnamed.map(({ tool, closest }) => (
              <li key={tool}>
                <code>
                  <Shown line text={tool} />
                </code>
                {closest !== undefined && (
                  <>
                    {" "}
                    — did you mean{" "}
                    <code>
                      <Shown line text={closest} />
                    </code>
                    ?
                  </>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {instructions !== undefined && (
        <details>
          <summary>Its instructions, as they were accepted</summary>
          <JsonText label="Instructions" value={instructions} />
        </details>
      )}
    </div>
  );
}
