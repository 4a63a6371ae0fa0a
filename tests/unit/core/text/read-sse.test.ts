import { describe, expect, it } from "vitest";
import { createSseReader, type SseEvent } from "../../../../src/core/text/read-sse.ts";

function read(text: string | Buffer, { chunk = Number.POSITIVE_INFINITY, maxBytes = 1_000 } = {}) {
  const events: SseEvent[] = [];
  const retries: number[] = [];
  let tooLong = 0;
  const reader = createSseReader({
    maxBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
    onTooLong: () => tooLong++,
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  return { events, retries, tooLong };
}

describe("reading server-sent events", () => {
  const stream =
    ': hello\nevent: message\nid: 7\nretry: 20\ndata: {"a":\ndata: "ö"}\n\ndata:x\r\n\r\nid: 8\ndata: \n\nevent: ping\n\n';

  it.each([1, 2, 3, 7, 1_000])("gives the same events in chunks of %d bytes", (chunk) => {
    expect(read(stream, { chunk })).toEqual({
      events: [
        { data: '{"a":\n"ö"}', id: "7", event: "message" },
        { data: "x", id: "7" },
        { data: "", id: "8" },
      ],
      retries: [20],
      tooLong: 0,
    });
  });

  it("leaves out an event that was not finished, and ids and waits that make no sense", () => {
    expect(read("id: a\0b\nretry: -5\nretry: soon\ndata: 1\n\ndata: 2\n")).toEqual({
      events: [{ data: "1", id: undefined }],
      retries: [],
      tooLong: 0,
    });
  });

  it("stops at an event that is too long, in one line or in many", () => {
    for (const text of [`data: ${"x".repeat(2_000)}\n\ndata: y\n\n`, "data: x\n".repeat(300)])
      expect(read(text, { chunk: 100 })).toEqual({ events: [], retries: [], tooLong: 1 });
    expect(read("data: 123456\n\n".repeat(500), { maxBytes: 20 }).events).toHaveLength(500);
  });
});
