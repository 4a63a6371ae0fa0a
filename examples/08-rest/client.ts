/** A typed client in a few lines: what the server sends is what `toolgate/contract` says. */
import type {
  AnswerBody,
  Answered,
  ApprovalList,
  CallBody,
  CallOutcome,
  EventData,
  EventKind,
  ExplainBody,
  Explanation,
  LedgerEntries,
  Problem,
  ServerEvent,
  ToolList,
  Verification,
} from "toolgate/contract";

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

export function createClient({ url, token }: { readonly url: string; readonly token: string }) {
  async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw new ProblemError((await response.json()) as Problem);
    return response;
  }
  const get = async <Body>(path: string) => (await (await send("GET", path)).json()) as Body;
  const post = async <Body>(path: string, body: object) =>
    (await (await send("POST", path, body)).json()) as Body;
  const name = encodeURIComponent;

  return {
    tools: () => get<ToolList>("/api/tools"),
    call: (tool: string, body: CallBody = {}) => post<CallOutcome>(`/api/tools/${name(tool)}/call`, body),
    explain: (body: ExplainBody) => post<Explanation>("/api/explain", body),
    approvals: () => get<ApprovalList>("/api/approvals"),
    answer: (id: string, body: AnswerBody) => post<Answered>(`/api/approvals/${name(id)}/answer`, body),
    record: (callId: string) => get<LedgerEntries>(`/api/ledger/entries/${name(callId)}`),
    verify: () => get<Verification>("/api/ledger/verify"),
    async *events(kinds: readonly EventKind[], signal: AbortSignal): AsyncGenerator<ServerEvent> {
      const query = new URLSearchParams(kinds.map((kind): [string, string] => ["kinds", kind]));
      const { body } = await send("GET", `/api/events?${query}`, undefined, signal);
      let rest = "";
      for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        const frames = (rest + piece).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          const field = (wanted: string) =>
            frame
              .split("\n")
              .find((line) => line.startsWith(`${wanted}: `))
              ?.slice(wanted.length + 2);
          const data = field("data");
          if (data === undefined) continue;
          const kind = field("event") as EventKind;
          yield {
            kind,
            id: field("id") ?? "",
            data: JSON.parse(data) as EventData[EventKind],
          } as ServerEvent;
        }
      }
    },
  };
}
