/** What rules make of a resource's URI: a local file, a network address, or a name of its server. */
import { fileNamedBy, isFileUri } from "../../../core/input/file-uri.ts";
import type { DerivedValues } from "../../../core/tool/tool.ts";

/**
 * Why a URI must not go to a server: it names a file, but not the same file for every server. Some leave out
 * what follows a `?`, others take the whole text for a path. Only one of the two was judged.
 */
export function unclearFile(uri: string): string | undefined {
  if (!isFileUri(uri) || fileNamedBy(uri) !== undefined) return undefined;
  return 'expected a "file:" URI to name one file in its shortest form (file:///folder/name): no host, query, fragment, "." or ".."';
}

/** `mayRead`: the configuration says that the server it is read from only reads. */
export function judgedUri(uri: string, mayRead: boolean): DerivedValues {
  const address = URL.parse(uri);
  // What is no URI at all may be a path to the server.
  const path = address === null ? uri : fileNamedBy(uri);
  // What a server fetches goes to the network, however the server is trusted; what nobody can read might.
  const isName = address !== null && (isFileUri(uri) ? path !== undefined : !isFetched(address));
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
