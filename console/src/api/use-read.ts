/** Reads of the API, kept by path and query; the feed says when to read again. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Query, RequestOptions } from "./connection.ts";
import { useConsole } from "./console-context.tsx";
import { isOffline } from "./problem.ts";

export interface ReadOptions {
  readonly query?: Query;
  readonly enabled?: boolean;
  readonly everyMs?: number;
  /** Show the rows of the last question while the next one is on its way. */
  readonly keepShown?: boolean;
}

export function useRead<Answer>(path: string, options: ReadOptions = {}) {
  const { connection } = useConsole();
  const { query, enabled = true, everyMs, keepShown = false } = options;
  return useQuery<Answer>({
    queryKey: query === undefined ? [path] : [path, query],
    queryFn: ({ signal }) => connection.request<Answer>(path, { query, signal }),
    enabled,
    retry: (count, error) => isOffline(error) && count < 2,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepShown && { placeholderData: keepPreviousData }),
  });
}

/** Asks for a change, then reads again what may look different. */
export function useChange<Answer>(reads: readonly string[]) {
  const { connection } = useConsole();
  const client = useQueryClient();
  return useMutation<Answer, Error, RequestOptions & { readonly path: string }>({
    mutationFn: ({ path, ...options }) => connection.request<Answer>(path, options),
    onSettled: () => Promise.all(reads.map((path) => client.invalidateQueries({ queryKey: [path] }))),
  });
}
