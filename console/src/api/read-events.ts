/** Server-sent events read from a fetch, which can send a token where an EventSource cannot. */

export interface SentEvent {
  readonly kind: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Calls `hear` with the events of each piece that arrives. Ends when the stream does; throws when it breaks. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  hear: (events: readonly SentEvent[]) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value.replaceAll("\r", "")).split("\n\n");
    rest = blocks.pop() ?? "";
    const events = blocks.flatMap(readBlock);
    if (events.length > 0) hear(events);
  }
}

function readBlock(block: string): SentEvent[] {
  let [kind, data] = ["message", ""];
  let id: string | undefined;
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, "");
    const field = line.slice(0, colon);
    if (field === "event") kind = value;
    else if (field === "id") id = value;
    else if (field === "data") data += data === "" ? value : `\n${value}`;
  }
  if (data === "") return [];
  try {
    return [{ kind, id, data: JSON.parse(data) }];
  } catch {
    return [];
  }
}
