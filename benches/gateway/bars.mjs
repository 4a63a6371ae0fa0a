// What toolgate promises as a gateway, all of it with the whole walk and the SQLite ledger.

export const bars = {
  /** Time added to a call, of what the gateway written by hand on SDK v1 adds. */
  addedOfSdk: 1,
  /** Calls a second with 64 in flight, of the best peer's. */
  callsOfBestPeer: 1.2,
  /** Calls a second over HTTP, of node:http that answers by itself, for clients that use fetch. */
  callsOfRawHttp: 0.7,
  /** Calls a second over HTTP, of the best peer's. */
  callsOfBestHttpPeer: 1,
  cpuMsPerHttpCall: 0.8,
  /** A list of 1,000 tools, of the time that the upstream itself takes. */
  listOfDirect: 1.5,
  /** From the start to the first list of tools, of the gateway written by hand on SDK v1. */
  startOfSdk: 1.2,
  /** After some hundred thousand calls, of what the gateway written by hand on SDK v1 holds. */
  memoryOfSdk: 0.85,
};
