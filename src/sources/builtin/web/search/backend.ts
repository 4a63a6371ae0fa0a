/** The port to whoever searches the web: one method, and what it may answer. */

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
  /** As the backend writes it. */
  readonly published?: string;
}

export interface SearchOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface WebSearchBackend {
  readonly name: string;
  /** Rejects with an error whose message may be shown to the model: no secrets in it. */
  search(query: string, options: SearchOptions): Promise<readonly SearchHit[]>;
}
