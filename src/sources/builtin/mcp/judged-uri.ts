/** What rules are to make of a resource's URI: a file of this machine, an address in the network, or a name that only its server knows. */
import { fileURLToPath } from "node:url";
import type { DerivedValues } from "../../../core/tool.ts";

/**
 * Why a URI must not go to a server: it names a file, but not every server would find the same one in it. Some leave out what follows a `?`,
 * others take all of the text for a path, and only one of the two was judged.
 */
export function unclearFile(uri: string): string | undefined {
  if (!isFile(uri) || fileNamedBy(uri) !== undefined) return undefined;
  return 'expected a "file:" URI to name one file in its shortest form (file:///folder/name): no host, query, fragment, "." or ".."';
}

/** `mayRead`: the configuration says that the server it is read from only reads. */
export function judgedUri(uri: string, mayRead: boolean): DerivedValues {
  const address = URL.parse(uri);
  // What is no URI at all may be a path to the server.
  const path = address === null ? uri : fileNamedBy(uri);
  // What a server fetches for somebody goes to the network, however the server is trusted; what nobody can read might.
  const isName = address !== null && (isFile(uri) ? path !== undefined : !isFetched(address));
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

/** Also one that we cannot read: a server may. */
function isFile(uri: string): boolean {
  return URL.parse(uri)?.protocol === "file:" || /^\s*file:/i.test(uri);
}

/** Undefined: it is no file, or which one depends on who reads it. */
function fileNamedBy(uri: string): string | undefined {
  const address = URL.parse(uri);
  if (address?.protocol !== "file:" || address.host !== "" || /[?#]/.test(uri)) return undefined;
  const path = pathOf(address);
  // Names with spaces or umlauts are often given as they are: who decodes them and who does not find the same file.
  return uri === address.href || uri === `file://${path}` ? path : undefined;
}

function pathOf(address: URL): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}
