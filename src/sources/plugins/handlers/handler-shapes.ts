/** The three handlers as a plugin file writes them. */

export interface ShellHandler {
  readonly type: "shell";
  /** Text for sh, with `{{name}}` where an argument goes. */
  readonly command: string;
  /** Milliseconds. Default 30,000. */
  readonly timeout?: number;
  /** Relative to the plugin file, absolute, or below `~/`. Default: the working folder of the call. */
  readonly cwd?: string;
  /** Arguments that may start with a dash, that is, be options: all of them, or those named. */
  readonly allowDash?: boolean | readonly string[];
}

export interface HttpHandler {
  readonly type: "http";
  /** With `{{name}}` in path and query, or at its very start for a whole URL. */
  readonly url: string;
  /** Default POST. */
  readonly method?: string;
  /** Values may hold `${NAME}` of the variables that the file declares. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds, for everything together. Default 10,000. */
  readonly timeout?: number;
  /** Of the answer, unpacked. Default 1 MiB. */
  readonly maxBytes?: number;
}

export interface FileReadHandler {
  readonly type: "file-read";
  /** The only folder it reads from: relative to the plugin file, absolute, or below `~/`. */
  readonly basePath: string;
  /** In bytes. Default 1 MiB. */
  readonly maxSize?: number;
}
