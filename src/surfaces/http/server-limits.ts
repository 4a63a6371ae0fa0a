/** How much the server takes, from everybody together and from each principal. */

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
  readonly maxConnections: number;
  /** Requests of one principal at the same time. */
  readonly maxInFlight: number;
  /** Requests of one principal within a minute. */
  readonly maxPerMinute: number;
  /** Event streams of one principal at the same time. */
  readonly maxStreams: number;
  /** Sessions of MCP clients of one principal. */
  readonly maxSessions: number;
}

export const defaultServerLimits: ServerLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 30_000,
  sendTimeoutMs: 60_000,
  // Above the 2,000 sockets that a patient attacker of one machine opens, below what a process may usually hold.
  maxConnections: 8_192,
  maxInFlight: 50,
  maxPerMinute: 1_000,
  maxStreams: 20,
  maxSessions: 200,
};
