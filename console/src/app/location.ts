/**
 * The address of what is shown: `#/ledger/42?verdict=deny`. View, selection and filters lie behind the `#`, so they reach no
 * server and no log, and the server needs one page only.
 */
import { useCallback, useSyncExternalStore } from "react";

export interface NavigateOptions {
  readonly replace?: boolean;
}

function current(): string {
  const hash = location.hash.replace(/^#/, "");
  return hash.startsWith("/") ? hash : "/";
}

function listen(hear: () => void): () => void {
  addEventListener("hashchange", hear);
  addEventListener("popstate", hear);
  return () => {
    removeEventListener("hashchange", hear);
    removeEventListener("popstate", hear);
  };
}

/** A link may name a view by its path (`/inbox/ID`), as messages to a phone do. */
export function takePath(): void {
  const [, view] =
    /^.*?\/((?:inbox|sessions|ledger|live|tools|rules|suggestions|upstreams|agents|tokens|overview)(?:\/.*)?)$/.exec(
      location.pathname,
    ) ?? [];
  if (view === undefined) return;
  const root = location.pathname.slice(0, -view.length);
  const hash = location.hash.startsWith("#k=") ? location.hash : `#/${view}${location.search}`;
  history.replaceState(null, "", `${root}${hash}`);
}

export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", `#${to}`);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** For wouter: path and setter. */
export function usePath(): [string, (to: string, options?: NavigateOptions) => void] {
  return [useSyncExternalStore(listen, () => current().split("?")[0] ?? "/"), navigate];
}
usePath.hrefs = (href: string) => `#${href}`;

/** For wouter: what stands behind the question mark. */
export function useQueryText(): string {
  return useSyncExternalStore(listen, () => current().split("?")[1] ?? "");
}

/** The filters in the address, and how to change some of them; an empty one is left out. */
export function useFilters(): [URLSearchParams, (changes: Readonly<Record<string, string>>) => void] {
  const filters = new URLSearchParams(useQueryText());
  const change = useCallback((changes: Readonly<Record<string, string>>) => {
    const [path = "/", text = ""] = current().split("?");
    const next = new URLSearchParams(text);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
  }, []);
  return [filters, change];
}

/** The same filters with another selection. */
export function useSelect(view: string): (id: string | undefined) => void {
  return useCallback(
    (id) => {
      const [, text] = current().split("?");
      const path = id === undefined ? `/${view}` : `/${view}/${encodeURIComponent(id)}`;
      navigate(text === undefined ? path : `${path}?${text}`);
    },
    [view],
  );
}
