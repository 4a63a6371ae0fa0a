/** The resources that one client wants to hear about. Their servers are told, also of its end. */
import type { Upstreams } from "../../../core/ports/upstream.ts";
import { wrongParams } from "../exchange.ts";
import type { McpTransport } from "../server-parts.ts";
import { rulesUri, toolsUri } from "./own-resources.ts";
import type { Reach } from "./reach.ts";
import { notFound } from "./resources.ts";

const mostResources = 1_000;

export class ResourceWatch {
  readonly #reach: Reach;
  readonly #transport: McpTransport;
  readonly #upstreams: Upstreams | undefined;
  /** By URI: the server that has it; none for the gate's own. */
  readonly #watched = new Map<string, string | undefined>();

  constructor(reach: Reach, transport: McpTransport) {
    this.#reach = reach;
    this.#transport = transport;
    this.#upstreams = reach.upstreams(transport);
  }

  /** Only whose resource it is can say that it has changed. */
  isAbout({ uri, server }: { readonly uri: string; readonly server?: string }): boolean {
    return this.#watched.has(uri) && this.#watched.get(uri) === server;
  }

  async add(uri: string, signal: AbortSignal): Promise<void> {
    if (this.#watched.has(uri)) return;
    if (this.#watched.size >= mostResources)
      throw wrongParams(`At most ${mostResources} resources can be watched.`);
    const isOwn = uri === toolsUri || uri === rulesUri;
    const server = isOwn ? undefined : this.#upstreams?.serverOf(uri);
    if (!isOwn && server === undefined) throw notFound(uri);
    if (uri === rulesUri && this.#transport.mayRead === false) throw notFound(uri);
    const input = { server: server ?? "", uri };
    if (server !== undefined && (await this.#reach.isDenied(this.#transport, "mcp.resource_read", input)))
      throw notFound(uri);
    // Asked for twice at once: told once.
    if (this.#watched.has(uri)) return;
    this.#watched.set(uri, server);
    if (server === undefined) return;
    try {
      await this.#upstreams?.subscribe({ server, uri }, { signal });
    } catch (error) {
      this.#watched.delete(uri);
      throw wrongParams((error as Error).message, { uri });
    }
  }

  async remove(uri: string, signal: AbortSignal): Promise<void> {
    const server = this.#watched.get(uri);
    if (!this.#watched.delete(uri) || server === undefined) return;
    await this.#upstreams?.unsubscribe({ server, uri }, { signal });
  }

  close(): void {
    const signal = AbortSignal.timeout(5_000);
    // Nobody waits for it: a server that cannot be told any more has nobody to tell either.
    for (const uri of [...this.#watched.keys()]) this.remove(uri, signal).catch(() => {});
  }
}
