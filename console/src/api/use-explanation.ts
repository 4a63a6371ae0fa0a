/** What the rules would say to a call, asked a moment after the last keystroke. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Explanation } from "toolgate/contract";
import { useConsole } from "./console-context.tsx";

const settleMs = 300;

export function useExplanation(tool: string, input: unknown, sessionId?: string) {
  const { connection } = useConsole();
  const text = useSettled(input === undefined ? undefined : JSON.stringify(input));
  return useQuery<Explanation>({
    queryKey: ["api/explain", tool, text, sessionId],
    queryFn: ({ signal }) =>
      connection.request<Explanation>("api/explain", {
        method: "POST",
        body: { tool, input: JSON.parse(text ?? "{}"), ...(sessionId !== undefined && { sessionId }) },
        signal,
      }),
    enabled: text !== undefined && tool !== "",
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 2_000,
  });
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
