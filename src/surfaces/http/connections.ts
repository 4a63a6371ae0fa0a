/**
 * Which connections the server keeps. Clients without a token get few connections per address, for a while.
 * Without room their idle connections are closed first. If there are none, the new connection is refused.
 */
import type { Socket } from "node:net";
import type { Clock } from "../../core/ports/ports.ts";
import type { Descriptors } from "../../safe/process/descriptors.ts";
import { refuseConnection } from "./bad-request.ts";
import type { ServerLimits } from "./server-limits.ts";

export interface ConnectionLimits {
  /** All together. */
  readonly max: number;
  /** Of one address, without a request under way and without a token so far. */
  readonly maxIdleStrangers: number;
  /** How long such a connection is kept. */
  readonly idleStrangerMs: number;
}

export class Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Refused, and only still there to read why. */
  isRefused = false;
  /** A request on this connection had a token. */
  isKnown = false;
  requests = 0;
  /** Without a request since then. */
  idleSince: number;

  constructor(socket: Socket, address: string, now: number) {
    this.socket = socket;
    this.address = address;
    this.idleSince = now;
  }
}

/** Clients that connect at the same moment are about to ask; none of them is closed for another. */
const momentMs = 1_000;
/** So many may be told at once why they are refused; others are only closed. */
const mostTold = 32;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #clock: Pick<Clock, "monotonic" | "after">;
  readonly #byPeer = new Map<string, Connection>();
  /** Idle and without a token, the longest idle first. */
  readonly #strangers = new Set<Connection>();
  readonly #strangersOf = new Map<string, Set<Connection>>();
  #open = 0;
  #told = 0;
  #stopTimer: (() => void) | undefined;

  constructor(limits: ConnectionLimits, clock: Pick<Clock, "monotonic" | "after">) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Refused connections do not count. */
  get open(): number {
    return this.#open;
  }

  /** The socket as it was accepted, before TLS. */
  add(socket: Socket, isTls: boolean): void {
    const peer = peerOf(socket);
    const connection = new Connection(socket, socket.remoteAddress ?? "", this.#clock.monotonic());
    if (peer !== undefined) this.#byPeer.set(peer, connection);
    const forget = () => {
      if (peer !== undefined && this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    };
    if (!this.#makeRoom(connection.address)) {
      connection.isRefused = true;
      socket.once("close", forget);
      this.#refuse(socket, isTls);
      return;
    }
    this.#open++;
    this.#becomeStranger(connection);
    socket.once("close", () => {
      forget();
      this.#open--;
      this.#leaveStrangers(connection);
    });
  }

  /** A request begins on this socket, or on the plain socket below a TLS socket. */
  begin(socket: Pick<Socket, "remoteAddress" | "remotePort">): Connection | undefined {
    const peer = peerOf(socket);
    const connection = peer === undefined ? undefined : this.#byPeer.get(peer);
    if (connection !== undefined && connection.requests++ === 0) this.#leaveStrangers(connection);
    return connection;
  }

  end(connection: Connection, hadToken: boolean): void {
    if (hadToken) connection.isKnown = true;
    if (--connection.requests > 0 || connection.socket.destroyed || connection.isKnown) return;
    connection.idleSince = this.#clock.monotonic();
    this.#becomeStranger(connection);
  }

  close(): void {
    this.#stopTimer?.();
  }

  /** False: every open connection is busy or has a token. */
  #makeRoom(address: string): boolean {
    if ((this.#strangersOf.get(address)?.size ?? 0) >= this.#limits.maxIdleStrangers)
      this.#giveWaySoon(address);
    if (this.#open - this.#dropped < this.#limits.max) return true;
    const [first] = this.#strangersOf.get(address) ?? this.#strangers;
    if (first === undefined) return false;
    this.#drop(first);
    return true;
  }

  /** One gives way to the one that comes, but not before what was asked is read: that may take its turn. */
  #giveWaySoon(address: string): void {
    setImmediate(() => {
      const strangers = this.#strangersOf.get(address);
      const [oldest] = strangers ?? [];
      if (strangers === undefined || oldest === undefined) return;
      if (strangers.size > this.#limits.maxIdleStrangers && this.#isLate(oldest, momentMs))
        this.#drop(oldest);
    });
  }

  /** Closed already, but their `close` has not come yet. */
  #dropped = 0;

  #drop(connection: Connection): void {
    this.#leaveStrangers(connection);
    this.#dropped++;
    connection.socket.once("close", () => this.#dropped--);
    connection.socket.destroy();
  }

  #isLate({ idleSince }: Connection, afterMs: number): boolean {
    return this.#clock.monotonic() - idleSince >= afterMs;
  }

  #becomeStranger(connection: Connection): void {
    this.#strangers.add(connection);
    const same = this.#strangersOf.get(connection.address);
    if (same === undefined) this.#strangersOf.set(connection.address, new Set([connection]));
    else same.add(connection);
    if (this.#stopTimer === undefined) this.#dropLateAfter(this.#limits.idleStrangerMs);
  }

  #leaveStrangers(connection: Connection): void {
    if (!this.#strangers.delete(connection)) return;
    const same = this.#strangersOf.get(connection.address);
    same?.delete(connection);
    if (same?.size === 0) this.#strangersOf.delete(connection.address);
  }

  /** Timers come before what was received: after a standstill, what was asked meanwhile is read first. */
  #dropLateAfter(ms: number): void {
    this.#stopTimer = this.#clock.after(ms, () => {
      const turn = setImmediate(() => this.#dropLate());
      this.#stopTimer = () => clearImmediate(turn);
    });
  }

  #dropLate(): void {
    this.#stopTimer = undefined;
    const { idleStrangerMs } = this.#limits;
    for (const connection of this.#strangers) {
      if (this.#isLate(connection, idleStrangerMs)) this.#drop(connection);
      else {
        const leftMs = connection.idleSince + idleStrangerMs - this.#clock.monotonic();
        this.#dropLateAfter(Math.max(1, leftMs));
        return;
      }
    }
  }

  #refuse(socket: Socket, isTls: boolean): void {
    // Before the handshake nothing that we write would be read.
    if (isTls || this.#told >= mostTold) {
      socket.destroy();
      return;
    }
    this.#told++;
    socket.once("close", () => this.#told--);
    refuseConnection(socket, this.#clock);
  }
}

/** The same name for a TLS socket and the plain socket below it. */
function peerOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">) {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

/** With fewer than these there is no use in serving. */
const least = 16;

/** How many connections the server may keep, by its limits and by the file descriptors of its process. */
export function connectionLimits(
  limits: Pick<ServerLimits, "maxConnections" | "maxIdleStrangers" | "idleStrangerMs">,
  { limit, used }: Descriptors,
): ConnectionLimits {
  const { maxIdleStrangers, idleStrangerMs } = limits;
  const room = limit === undefined ? limits.maxConnections : limit - used - reserveOf(limit);
  const max = Math.max(least, Math.min(limits.maxConnections, room));
  return { max, maxIdleStrangers, idleStrangerMs };
}

/** For files, commands, upstream servers and the checks of calls, which a connection must not take away. */
function reserveOf(limit: number): number {
  return Math.min(512, Math.floor(limit / 4));
}
