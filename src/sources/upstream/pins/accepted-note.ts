/** What the ledger is told about definitions that count from now on. */
import type { LedgerNote } from "../../../core/ports/ports.ts";
import { shownName } from "../../../core/text/visible.ts";

type Told = Pick<LedgerNote, "code" | "message"> & { readonly about: NonNullable<LedgerNote["about"]> };

interface Digested {
  readonly tool: string;
  readonly digest: string;
}

/** A server that nobody had seen: what it offered was taken without asking. */
export interface FirstSight {
  readonly server: string;
  readonly tools: readonly Digested[];
}

/** The message goes on behind the name of who did it. */
export function acceptedNote(server: string, items: readonly Digested[]): Told {
  return {
    code: "upstream_accepted",
    message: `accepts what the upstream ${shownName(server)} offers: ${listed(items)}.`,
    about: { server, how: "person", tools: digests(items) },
  };
}

export function firstSightNote({ server, tools }: FirstSight): Told {
  return {
    code: "upstream_accepted",
    message: `sees the upstream ${shownName(server)} for the first time and takes what it offers: ${listed(tools)}.`,
    about: { server, how: "first-sight", tools: digests(tools) },
  };
}

const mostNames = 20;

function listed(items: readonly Digested[]): string {
  if (items.length === 0) return "no tools";
  const names = items.slice(0, mostNames).map(({ tool }) => shownName(tool));
  const more = items.length > mostNames ? ` and ${items.length - mostNames} more` : "";
  return `${names.join(", ")}${more}`;
}

function digests(items: readonly Digested[]): Record<string, string> {
  return Object.fromEntries(items.map(({ tool, digest }) => [tool, digest]));
}
