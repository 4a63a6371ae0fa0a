/** Reads server-sent events the way the standard says. */

export interface ReadEvent {
  readonly id: string | undefined;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
  readonly data: any;
}

export async function* readEvents(response: Response): AsyncGenerator<ReadEvent> {
  let rest = "";
  let id: string | undefined;
  const decoder = new TextDecoder();
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      let kind = "message";
      let data: string | undefined;
      for (const line of lines) {
        const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === "id") id = value;
        if (field === "event") kind = value ?? "";
        if (field === "data") data = data === undefined ? value : `${data}\n${value}`;
      }
      if (data !== undefined) yield { id, kind, data: JSON.parse(data) };
    }
  }
}
