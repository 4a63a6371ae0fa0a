/** Sessions of MCP clients that their clients ended, known to all processes on all machines. */
export interface EndedClients {
  /** Kept for all of them when the promise resolves. `name`: not the id, which is a secret of the client. */
  end(name: string): Promise<void>;
  /** Asked before a session is taken up that this process does not hold. */
  has(name: string): Promise<boolean>;
  /** Hears of those that any process ended, some of them more than once. Returns how to stop. */
  listen(hear: (name: string) => void): () => void;
}
