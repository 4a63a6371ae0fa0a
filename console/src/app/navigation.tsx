/** The way to the views: at the side, on a phone at the foot with the rarer ones behind "More". */
import { useState } from "react";
import type { ApprovalList } from "toolgate/contract";
import { Link, useLocation } from "wouter";
import { useConsole } from "../api/console-context.tsx";
import { useRead } from "../api/use-read.ts";
import { Icon } from "../parts/icons.tsx";
import { count } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { Health } from "./health.tsx";
import { type View, views } from "./views.ts";

/** On a phone these lie at the foot; the others are behind "More". */
const onPhone = new Set(["inbox", "live", "sessions", "ledger"]);

export function Navigation() {
  const [path] = useLocation();
  const [isMore, setMore] = useState(false);
  const here = path.split("/")[1] || "overview";
  const item = (view: View) => (
    <li key={view.id} className={onPhone.has(view.id) ? "" : "rare"}>
      <Link
        href={`/${view.id}`}
        aria-current={here === view.id ? "page" : undefined}
        onClick={() => setMore(false)}
      >
        <Icon name={view.id} />
        <span>{view.title}</span>
        {view.id === "inbox" && <Waiting />}
      </Link>
    </li>
  );
  return (
    <nav className={`navigation ${isMore ? "more" : ""}`} aria-label="Views">
      <p className="brand">toolgate</p>
      <ul>
        {views.map(item)}
        <li className="only-phone">
          <button type="button" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            <Icon name="more" />
            <span>More</span>
          </button>
        </li>
      </ul>
      <div className="who">
        <Health />
        <Who />
      </div>
    </nav>
  );
}

function Waiting() {
  const { data } = useRead<ApprovalList>("api/approvals", { everyMs: 15_000 });
  const many = data?.approvals.length ?? 0;
  if (many === 0) return null;
  return (
    <span className="badge">
      {count(many)}
      <span className="unseen-word"> waiting</span>
    </span>
  );
}

function Who() {
  const { me, logOut } = useConsole();
  return (
    <div className="me">
      <span className="caller" title={me.caller}>
        <Shown line text={me.caller} />
      </span>
      <span className="rights">{me.rights.join(", ")}</span>
      <button type="button" className="link" onClick={logOut}>
        Log out
      </button>
    </div>
  );
}
