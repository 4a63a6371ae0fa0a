/** Requests to one upstream server over HTTP, with session, version and, where needed, an access token. */
import { gatewaysHeader, gatewaysSoFar } from "../../../mcp/passed-gateways.ts";
import { createOriginClient, type OriginAnswer, type OriginBody } from "../../../safe/net/origin-client.ts";
import { isEvents } from "../../../safe/net/read-answer.ts";
import { type HttpSettings, UpstreamError } from "../talk/connection.ts";
import type { HttpProblems } from "./http-answer.ts";
import { createOauthToken } from "./oauth-token.ts";
import type { WirePlace } from "./wire.ts";

type Client = (ReturnType<typeof createOriginClient> & { ok: true })["client"];

export class HttpSender {
  readonly #problems: HttpProblems;
  readonly #client: Client;
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #oauth: ReturnType<typeof createOauthToken> | undefined;
  session: string | undefined;
  version: string | undefined;

  /** Throws an UpstreamError for an address that can never be used. */
  constructor(settings: HttpSettings, { name, maxConnections }: WirePlace, problems: HttpProblems) {
    const { url, headers = {}, oauth } = settings;
    const made = createOriginClient({ url, maxConnections });
    if (!made.ok)
      throw new UpstreamError("unavailable", `The upstream server "${name}": ${made.message} ${made.hint}`);
    this.#problems = problems;
    this.#client = made.client;
    this.#fixed = lowerCase(headers);
    this.#oauth = oauth === undefined ? undefined : createOauthToken(oauth, { name, resource: url });
  }

  async post(
    json: string,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OriginAnswer> {
    for (let tries = 0; ; tries++) {
      const token = await this.#oauth?.get();
      const headers = await this.#headers(
        { "content-type": "application/json", accept: "application/json, text/event-stream", ...more },
        token,
      );
      const answer = await this.#client.send({ method: "POST", headers, body: json, signal });
      if (!answer.ok)
        throw this.#problems.of("unavailable", `cannot be reached: ${answer.message} ${answer.hint}`);
      if (answer.status !== 401 || token === undefined || tries > 0) return answer;
      // Revoked before its time.
      answer.body.destroy();
      this.#oauth?.forget(token);
    }
  }

  /** A stream of events, from after that event on. Undefined: the server has none. */
  async events(lastId: string | undefined, signal: AbortSignal): Promise<OriginBody | undefined> {
    const headers = await this.#headers({
      accept: "text/event-stream",
      ...(lastId !== undefined && { "last-event-id": lastId }),
    });
    const answer = await this.#client.send({ method: "GET", headers, signal });
    if (!answer.ok) throw this.#problems.of("unavailable", `cannot be reached: ${answer.message}`);
    if (answer.status === 200 && isEvents(answer)) return answer.body;
    answer.body.destroy();
    return undefined;
  }

  /** Ends the session, if there is one, and every connection. */
  async close(): Promise<void> {
    if (this.session !== undefined) {
      const answer = await this.#client.send({
        method: "DELETE",
        headers: await this.#headers({}).catch(() => this.#fixed),
        signal: AbortSignal.timeout(farewellMs),
      });
      if (answer.ok) answer.body.destroy();
    }
    this.#client.close();
  }

  async #headers(more: Readonly<Record<string, string>>, given?: string): Promise<Record<string, string>> {
    const token = given ?? (await this.#oauth?.get());
    return {
      ...this.#fixed,
      [gatewaysHeader]: gatewaysSoFar(),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(this.session !== undefined && { "mcp-session-id": this.session }),
      ...(this.version !== undefined && { "mcp-protocol-version": this.version }),
      ...more,
    };
  }
}

const farewellMs = 1_000;

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
