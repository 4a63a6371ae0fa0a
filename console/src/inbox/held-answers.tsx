/** Answers wait three seconds in the browser, where they can still be taken back. Nothing is pretended after they were sent. */
import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { AnswerBody, Approval } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { messageOf } from "../api/problem.ts";
import { useToasts } from "../parts/toasts.tsx";

export const holdMs = 3_000;

export interface Held {
  readonly approval: Approval;
  readonly body: AnswerBody;
  readonly sendsAt: number;
  readonly isSending: boolean;
}

export interface HeldAnswers {
  readonly held: ReadonlyMap<string, Held>;
  hold(approval: Approval, body: AnswerBody): void;
  /** The last one, if none is named. False: nothing is held any more. */
  undo(id?: string): boolean;
}

const HeldContext = createContext<HeldAnswers | undefined>(undefined);

export function useHeld(): HeldAnswers {
  const held = useContext(HeldContext);
  if (held === undefined) throw new Error("Answers are held outside of the console.");
  return held;
}

export function HeldPlace({ children }: { readonly children: ReactNode }) {
  const { connection } = useConsole();
  const client = useQueryClient();
  const toasts = useToasts();
  const [held, setHeld] = useState<ReadonlyMap<string, Held>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  // Whoever closes the page within the three seconds has not answered.
  useEffect(() => {
    const all = timers.current;
    return () => {
      for (const timer of all.values()) clearTimeout(timer);
      all.clear();
    };
  }, []);
  const change = useCallback((id: string, to: Held | undefined) => {
    setHeld((before) => {
      const next = new Map(before);
      if (to === undefined) next.delete(id);
      else next.set(id, to);
      return next;
    });
  }, []);
  const send = useCallback(
    async (entry: Held) => {
      const { id, tool } = entry.approval;
      timers.current.delete(id);
      change(id, { ...entry, isSending: true });
      try {
        await connection.request(`api/approvals/${encodeURIComponent(id)}/answer`, {
          method: "POST",
          body: entry.body,
        });
      } catch (error) {
        toasts.show({
          tone: "refused",
          text: `${tool}: your answer did not count. ${messageOf(error)}`,
          forMs: 12_000,
        });
      } finally {
        await client.invalidateQueries({ queryKey: ["api/approvals"] });
        change(id, undefined);
      }
    },
    [change, client, connection, toasts],
  );
  const value = useMemo<HeldAnswers>(
    () => ({
      held,
      hold(approval, body) {
        if (timers.current.has(approval.id)) return;
        // An answer that would come too late is sent at once.
        const left = approval.expiresAt - connection.clock.now();
        const ms = Math.max(0, Math.min(holdMs, left - 2_000));
        const entry = { approval, body, sendsAt: Date.now() + ms, isSending: false };
        timers.current.set(
          approval.id,
          setTimeout(() => void send(entry), ms),
        );
        change(approval.id, entry);
      },
      undo(id = [...timers.current.keys()].at(-1)) {
        const timer = id === undefined ? undefined : timers.current.get(id);
        if (id === undefined || timer === undefined) return false;
        clearTimeout(timer);
        timers.current.delete(id);
        change(id, undefined);
        return true;
      },
    }),
    [held, change, connection, send],
  );
  return <HeldContext value={value}>{children}</HeldContext>;
}
