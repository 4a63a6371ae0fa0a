/** What is broken, before anything else; one quiet line if nothing is. */
import type { Status, UpstreamList } from "toolgate/contract";
import { Link } from "wouter";
import { useRead } from "../api/use-read.ts";
import { Icon } from "../parts/icons.tsx";
import { plural } from "../parts/numbers.ts";
import { Place } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";

export function Broken({ status }: { readonly status: Status }) {
  const upstreams = useRead<UpstreamList>("api/upstreams", { everyMs: 30_000 }).data?.upstreams ?? [];
  const { problems, ignored } = status.config;
  const failed = upstreams.filter(({ state }) => state === "failed" || state === "broken");
  const pending = upstreams.filter((one) => one.pending.length > 0);
  if (problems.length + ignored.length + failed.length + pending.length === 0)
    return (
      <p className="broken fine">
        <Icon name="yes" /> Nothing is broken.
      </p>
    );
  return (
    <ul className="broken">
      {problems.map(({ file, line, message }) => (
        <li key={`${file} ${message}`} className="refused">
          <Icon name="no" />{" "}
          <span>
            The rules of <Place file={file} line={line} /> are not used, the last good ones are:{" "}
            <Shown text={message} />
          </span>
        </li>
      ))}
      {failed.map(({ server, problem }) => (
        <li key={server} className="refused">
          <Icon name="no" />{" "}
          <span>
            <Link href={`/upstreams/${encodeURIComponent(server)}`}>
              <Shown line text={server} />
            </Link>{" "}
            does not run
            {problem !== undefined && (
              <>
                : <Shown text={problem} limit={300} />
              </>
            )}
          </span>
        </li>
      ))}
      {pending.map(({ server, pending: waiting }) => (
        <li key={`${server} pending`} className="asked">
          <Icon name="ask" />{" "}
          <span>
            <Link href={`/upstreams/${encodeURIComponent(server)}`}>
              <Shown line text={server} />
            </Link>
            : {plural(waiting.length, "definition waits", "definitions wait")} to be accepted
          </span>
        </li>
      ))}
      {ignored.map(({ file, line, what, why }) => (
        <li key={`${file} ${line ?? ""} ${what}`} className="asked">
          <Icon name="warn" />{" "}
          <span>
            <Place file={file} line={line} /> <Shown text={what} /> is ignored: <Shown text={why} />
          </span>
        </li>
      ))}
    </ul>
  );
}
