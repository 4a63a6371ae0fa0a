/** The views of the console, in the order of the navigation. */
import type { ComponentType } from "react";
import { Agents } from "../agents/agents.tsx";
import { Inbox } from "../inbox/inbox.tsx";
import { Ledger } from "../ledger/ledger.tsx";
import { Live } from "../live/live.tsx";
import { Overview } from "../overview/overview.tsx";
import type { IconName } from "../parts/icons.tsx";
import { Rules } from "../rules/rules.tsx";
import { Sessions } from "../sessions/sessions.tsx";
import { Suggestions } from "../suggestions/suggestions.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { Tools } from "../tools/tools.tsx";
import { Upstreams } from "../upstreams/upstreams.tsx";

export interface View {
  readonly id: IconName;
  readonly title: string;
  /** After `g`. */
  readonly key: string;
  readonly show: ComponentType<ViewProps>;
}

export interface ViewProps {
  /** What is selected, from the address. */
  readonly selected: string | undefined;
}

export const views: readonly View[] = [
  { id: "overview", title: "Overview", key: "o", show: Overview },
  { id: "inbox", title: "Inbox", key: "i", show: Inbox },
  { id: "live", title: "Live", key: "l", show: Live },
  { id: "sessions", title: "Sessions", key: "s", show: Sessions },
  { id: "ledger", title: "Ledger", key: "e", show: Ledger },
  { id: "tools", title: "Tools", key: "t", show: Tools },
  { id: "rules", title: "Rules", key: "r", show: Rules },
  { id: "suggestions", title: "Suggestions", key: "p", show: Suggestions },
  { id: "upstreams", title: "Upstreams", key: "u", show: Upstreams },
  { id: "agents", title: "Agents", key: "a", show: Agents },
  { id: "tokens", title: "Tokens", key: "k", show: Tokens },
];
