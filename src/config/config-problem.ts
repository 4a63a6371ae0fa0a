/** Something wrong in a file, said so that its author finds it: what, where, what to do. */

export interface ConfigProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** What a file that nobody vouches for is told instead of a message that could repeat its words: it may be another than it seems. */
export const withoutDetail =
  "This part cannot be used as it is written (toolgate config validate FILE says more).";

/** `toolgate.yaml:3:7: routes.x: needs a message.` */
export function describeConfigProblem({ file, line, column, message }: ConfigProblem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  return `${place.join(":")}: ${message}`;
}
