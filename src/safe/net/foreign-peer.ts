/**
 * Does the other end of a connection belong to another user of this machine? Linux tells whose a socket is. Where nobody
 * knows (another machine, another system), the answer is no.
 */
import { readFileSync } from "node:fs";
import { quietly } from "../../core/run/quietly.ts";

export interface PeerPorts {
  /** Of the one who asks. */
  readonly remotePort: number;
  /** Of the server. */
  readonly localPort: number;
}

export function isForeignPeer(ports: PeerPorts): boolean {
  const own = process.getuid?.();
  if (own === undefined) return false;
  return tables.some((table) => {
    const text = quietly(() => readFileSync(table, "utf8"));
    // The administrator can read everything anyway, and forwards connections for others.
    return text !== undefined && ownersOf(text, ports).some((uid) => uid !== own && uid !== 0);
  });
}

const tables = ["/proc/net/tcp", "/proc/net/tcp6"];

/** Who has the socket from which somebody asks: a line is `sl local rem st queues timer retransmits uid ...`. */
export function ownersOf(table: string, { remotePort, localPort }: PeerPorts): number[] {
  const [asks, answers] = [remotePort, localPort].map((port) =>
    port.toString(16).toUpperCase().padStart(4, "0"),
  );
  return table.split("\n").flatMap((line) => {
    const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
    const isIt = local?.endsWith(`:${asks}`) === true && remote?.endsWith(`:${answers}`) === true;
    return isIt && uid !== undefined ? [Number(uid)] : [];
  });
}
