/** How much the server takes, from everybody together and from each caller. */

export interface ServerLimits {
  /** Of one body. */
  readonly maxBodyBytes: number;
  /** A request line with its headers must be there by then. */
  readonly headersTimeoutMs: number;
  /** A whole request must be there by then. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing is asked is kept so long. */
  readonly keepAliveMs: number;
  /** A client that does not take its answer is let go after this time. */
  readonly sendTimeoutMs: number;
  /** Of everybody together; fewer where the process may not have so many file descriptors. */
  readonly maxConnections: number;
  /** Connections of one address on which nothing is asked and no token was shown so far. */
  readonly maxIdleStrangers: number;
  /** How long such a connection is kept. */
  readonly idleStrangerMs: number;
  /** Requests of one caller at the same time. */
  readonly maxInFlight: number;
  /** Requests of one caller within a minute. */
  readonly maxPerMinute: number;
  /** Event streams of one caller at the same time. */
  readonly maxStreams: number;
  /** Sessions of MCP clients of one caller. */
  readonly maxSessions: number;
}

export const defaultServerLimits: ServerLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 30_000,
  sendTimeoutMs: 60_000,
  // More than the 2,000 sockets of a patient attacker, fewer than a process may usually hold.
  maxConnections: 8_192,
  maxIdleStrangers: 64,
  idleStrangerMs: 5_000,
  maxInFlight: 50,
  maxPerMinute: 1_000,
  maxStreams: 20,
  maxSessions: 200,
};
