/** How many questions wait, in the title of the tab and on the icon of the installed page. */
import { useEffect } from "react";
import type { ApprovalList } from "toolgate/contract";
import { useLocation } from "wouter";
import { useRead } from "../api/use-read.ts";
import { views } from "./views.ts";

export function useTitle(): void {
  const { data } = useRead<ApprovalList>("api/approvals");
  const [path] = useLocation();
  const waiting = data?.approvals.length ?? 0;
  const here = views.find(({ id }) => id === path.split("/")[1])?.title ?? "Overview";
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${here} · toolgate`;
    const done = waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.();
    // A browser may refuse badges; the title says the same.
    done?.catch(() => {});
  }, [waiting, here]);
}
