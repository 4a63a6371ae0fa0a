import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/input/json.ts";
import type { IncomingRequest } from "../../../src/mcp/incoming-request.ts";
import { RawResult, RpcError, rpcCodes } from "../../../src/mcp/messages.ts";
import { PeerClosed, PeerTimeout } from "../../../src/mcp/outgoing-requests.ts";
import { Peer, type PeerPorts } from "../../../src/mcp/peer.ts";

function makePeer(ports: Partial<PeerPorts> = {}) {
  const sent: JsonObject[] = [];
  const about: [unknown, boolean][] = [];
  const problems: string[] = [];
  const peer = new Peer({
    send: (json, id, isAnswer) => {
      sent.push(JSON.parse(json));
      about.push([id, isAnswer]);
    },
    onRequest: () => ({}),
    onProblem: (message) => problems.push(message),
    ...ports,
  });
  return { peer, sent, about, problems };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const request = (id: unknown, method = "do", params?: unknown) => ({ jsonrpc: "2.0", id, method, params });

/** Two ends, each of which hears what the other says. */
function makePair(answer: PeerPorts["onRequest"]) {
  let right: Peer;
  const left = new Peer({ send: (json) => right.receiveText(json), onRequest: () => ({}) });
  right = new Peer({ send: (json) => left.receiveText(json), onRequest: answer });
  return { left, right };
}

describe("a peer that is asked", () => {
  it("answers with the result of its handler, whether it comes now or later", async () => {
    const { peer, sent, about } = makePeer({
      onRequest: ({ method }) => (method === "now" ? { a: 1 } : Promise.resolve(new RawResult('{"b":2}'))),
    });
    peer.receive(request(1, "now"));
    peer.receive(request("x", "later"));
    await turn();
    expect(sent).toEqual([
      { jsonrpc: "2.0", id: 1, result: { a: 1 } },
      { jsonrpc: "2.0", id: "x", result: { b: 2 } },
    ]);
    expect(about).toEqual([
      [1, true],
      ["x", true],
    ]);
  });

  it("tells errors of the protocol with code and data, and others without their words", async () => {
    const { peer, sent, problems } = makePeer({
      onRequest: ({ method }) => {
        if (method === "known") throw new RpcError(rpcCodes.invalidParams, "no such thing", { uri: "x" });
        return Promise.reject(new Error("secret path /home/me"));
      },
    });
    peer.receive(request(1, "known"));
    peer.receive(request(2, "broken"));
    await turn();
    expect(sent[0]).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: "no such thing", data: { uri: "x" } },
    });
    expect(sent[1]).toMatchObject({ id: 2, error: { code: -32603 } });
    expect(JSON.stringify(sent[1])).not.toContain("secret");
    expect(problems.join()).toContain("secret path");
  });

  it.each([
    ["text that is not JSON", "{", -32700],
    ["a batch", "[]", -32600],
    ["a number", "7", -32600],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"a"}', -32600],
    ["neither method nor answer", '{"jsonrpc":"2.0","id":1}', -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"a"}', -32600],
    ["params that are a list", '{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}', -32602],
  ])("refuses %s", (_what, text, code) => {
    const { peer, sent } = makePeer();
    peer.receiveText(text);
    expect(sent).toMatchObject([{ error: { code } }]);
  });

  it("goes on after something it could not read", () => {
    const { peer, sent } = makePeer();
    peer.receiveText("garbage");
    peer.receive(request(1));
    expect(sent[1]).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("refuses a second request with an id that is in use, and still answers the first", async () => {
    let finish = () => {};
    const { peer, sent } = makePeer({
      onRequest: () =>
        new Promise((resolve) => {
          finish = () => resolve({ first: true });
        }),
    });
    peer.receive(request(1));
    peer.receive(request(1));
    expect(sent).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    finish();
    await turn();
    expect(sent[1]).toMatchObject({ id: 1, result: { first: true } });
  });

  it("takes only so many requests at once", () => {
    const { peer, sent } = makePeer({ maxIncoming: 2, onRequest: () => new Promise(() => {}) });
    for (const id of [1, 2, 3]) peer.receive(request(id));
    expect(sent).toMatchObject([{ id: 3, error: { code: -32603 } }]);
    expect(peer.answering).toBe(2);
  });

  it("aborts a cancelled request and does not answer it", async () => {
    let taken: IncomingRequest | undefined;
    const { peer, sent } = makePeer({
      onRequest: (incoming) => {
        taken = incoming;
        return new Promise((_, reject) =>
          incoming.signal.addEventListener("abort", () => reject(new Error("stopped"))),
        );
      },
    });
    peer.receive(request(1));
    peer.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await turn();
    expect(taken?.signal.aborted).toBe(true);
    expect(sent).toEqual([]);
    peer.receive(request(1));
    expect(peer.answering).toBe(1);
  });

  it("says when everything is answered", async () => {
    let finish = () => {};
    const { peer } = makePeer({
      onRequest: () =>
        new Promise((resolve) => {
          finish = () => resolve({});
        }),
    });
    peer.receive(request(1));
    let isIdle = false;
    void peer.idle().then(() => {
      isIdle = true;
    });
    await turn();
    expect(isIdle).toBe(false);
    finish();
    await turn();
    expect(isIdle).toBe(true);
  });
});

describe("a peer that asks", () => {
  it("gets each answer to its own request, whatever their order", async () => {
    const { peer, sent } = makePeer();
    const answers = Promise.all(["a", "b", "c"].map((method) => peer.request(method, {})));
    const ids = sent.map(({ id }) => id as number);
    for (const id of [...ids].reverse()) peer.receive({ jsonrpc: "2.0", id, result: { id } });
    expect(await answers).toEqual(ids.map((id) => ({ id })));
    expect(peer.asked.size).toBe(0);
  });

  it("rejects with the other side's error", async () => {
    const { left } = makePair(() => {
      throw new RpcError(-32001, "no", { why: 1 });
    });
    await expect(left.request("x", {})).rejects.toMatchObject({
      code: -32001,
      message: "no",
      data: { why: 1 },
    });
  });

  it("gives up after its time-out and tells the other side", async () => {
    const { peer, sent, problems } = makePeer();
    await expect(peer.request("slow", {}, { timeoutMs: 5 })).rejects.toBeInstanceOf(PeerTimeout);
    expect(sent[1]).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: sent[0]?.id as number },
    });
    peer.receive({ jsonrpc: "2.0", id: sent[0]?.id, result: {} });
    expect(problems.join()).toContain("nobody waits for");
  });

  it("cancels at the other side what is aborted here", async () => {
    let signal: AbortSignal | undefined;
    const { left, right } = makePair((incoming) => {
      signal = incoming.signal;
      return new Promise(() => {});
    });
    const abort = new AbortController();
    const asked = left.request("x", {}, { signal: abort.signal });
    abort.abort(new Error("changed my mind"));
    await expect(asked).rejects.toThrow("changed my mind");
    expect(signal?.aborted).toBe(true);
    expect(right.answering).toBe(0);
  });

  it("hears the progress it asked for, until the answer", async () => {
    const { peer, sent } = makePeer();
    const heard: unknown[] = [];
    const asked = peer.request(
      "x",
      { _meta: { trace: 1 } },
      { onProgress: ({ progress }) => heard.push(progress) },
    );
    const [first] = sent as [JsonObject & { params: { _meta: JsonObject } }];
    const meta = first.params._meta;
    expect(meta.trace).toBe(1);
    const tell = (progress: number) =>
      peer.receive({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: meta.progressToken, progress },
      });
    tell(1);
    peer.receive({ jsonrpc: "2.0", id: sent[0]?.id, result: {} });
    tell(2);
    await asked;
    expect(heard).toEqual([1]);
  });

  it("rejects everything when the connection ends, and everything after that", async () => {
    const { peer, sent } = makePeer();
    const asked = peer.request("x", {});
    peer.close();
    await expect(asked).rejects.toBeInstanceOf(PeerClosed);
    await expect(peer.request("y", {})).rejects.toBeInstanceOf(PeerClosed);
    peer.receive(request(1));
    peer.notify("z");
    expect(sent).toHaveLength(1);
  });
});
