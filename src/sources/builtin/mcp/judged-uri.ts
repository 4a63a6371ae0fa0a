/** What rules are to make of a resource's URI: a file of this machine, an address in the network, or a name that only its server knows. */
import { fileURLToPath } from "node:url";
import type { DerivedValues } from "../../../core/tool.ts";

/** `mayRead`: the configuration says that the server it is read from only reads. */
export function judgedUri(uri: string, mayRead: boolean): DerivedValues {
  const address = URL.parse(uri);
  const path = address?.protocol === "file:" ? pathOf(address) : undefined;
  // What a server fetches for somebody goes to the network, however the server is trusted; what nobody can read might.
  const isName =
    address !== null && (address.protocol === "file:" ? path !== undefined : !isFetched(address));
  return { ...(path !== undefined && { path }), ...(mayRead && isName && { urlIsName: true }) };
}

const fetched = new Set([
  "http:",
  "https:",
  "ws:",
  "wss:",
  "ftp:",
  "ftps:",
  "sftp:",
  "ssh:",
  "data:",
  "blob:",
]);

/** Also in forms such as `git+https:` and `view-source:https:`. */
function isFetched({ protocol, href }: URL): boolean {
  return (
    protocol.split(/[+.]/).some((part) => fetched.has(part.endsWith(":") ? part : `${part}:`)) ||
    /:https?:/i.test(href)
  );
}

function pathOf(address: URL): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}
