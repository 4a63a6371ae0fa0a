/** What a view shows instead of its data: nothing yet, nothing at all, or what went wrong. */
import type { ReactNode } from "react";
import { isForbidden, isMissing, messageOf, RequestError } from "../api/problem.ts";
import { Icon } from "./icons.tsx";
import { Prose } from "./prose.tsx";

export interface EmptyProps {
  readonly children: ReactNode;
  /** What fills the view. */
  readonly command?: string;
}

export function Empty({ children, command }: EmptyProps) {
  return (
    <div className="empty">
      <p>{children}</p>
      {command !== undefined && <code className="command">{command}</code>}
    </div>
  );
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (isMissing(error))
    return <Empty>This gate does not offer this. Update it, or look whether the part is switched on.</Empty>;
  const hint = error instanceof RequestError ? error.hint : undefined;
  return (
    <div className="failure" role="alert">
      <Icon name="warn" />
      <div>
        <p>
          <Prose text={messageOf(error)} />
        </p>
        {isForbidden(error) && (
          <p className="quiet">Your token lacks the right. Log in with one that has it.</p>
        )}
        {hint !== undefined && (
          <p className="quiet">
            <Prose text={hint} />
          </p>
        )}
        {retry !== undefined && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** Lines of the height of what will come, so that nothing jumps. */
export function Waiting({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="waiting" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <div key={index} className="bone" />
      ))}
    </div>
  );
}

interface Reading<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** What was read, or how far it is; old data stays while the server is away. */
export function Read<Data>(props: {
  readonly of: Reading<Data>;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const { of, rows, children } = props;
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failure error={of.error} retry={() => void of.refetch()} />;
  return rows === undefined ? <Waiting /> : <Waiting rows={rows} />;
}
