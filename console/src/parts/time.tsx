/** When something was: "2 min ago", with the exact time on hover. */
import { useEffect, useState } from "react";
import { useConsole } from "../api/console-context.tsx";

export function Ago({ at }: { readonly at: number }) {
  const { connection } = useConsole();
  useTick(30_000);
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={exact(at)} className="ago">
      {ago(connection.clock.now() - at)}
    </time>
  );
}

export function exact(at: number): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

export function clockTime(at: number): string {
  return hours.format(at);
}

/** Made once: Live draws hundreds of times a second. */
const hours = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export function ago(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 5) return "now";
  return ms < 0 ? `in ${span(seconds)}` : `${span(seconds)} ago`;
}

function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  const days = Math.floor(seconds / 86_400);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** Draws again every so often, for what shows the time. */
export function useTick(everyMs: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
