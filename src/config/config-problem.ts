/** Something wrong in a file, said so that its author finds it: what, where, what to do. */

export interface ConfigProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Told of a file that nobody vouches for: a full message could repeat words of a file that it leads to. */
export const withoutDetail =
  "This part cannot be used as it is written (toolgate config validate FILE says more).";

/** `toolgate.yaml:3:7: routes.x: needs a message.` */
export function describeConfigProblem({ file, line, column, message }: ConfigProblem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  return `${place.join(":")}: ${message}`;
}
