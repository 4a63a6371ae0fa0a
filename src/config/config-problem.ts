/** Something wrong in a file, said so that its author finds it: what, where, what to do. */

export interface ConfigProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** `toolgate.yaml:3:7: routes.x: needs a message.` */
export function describeConfigProblem({ file, line, column, message }: ConfigProblem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  return `${place.join(":")}: ${message}`;
}
