/** List and detail, the frame of nearly every view. On a phone the detail lies over the list, with a way back. */
import type { ReactNode } from "react";
import { Guard } from "./guard.tsx";
import { Icon } from "./icons.tsx";

export interface SplitProps {
  readonly title: string;
  /** Beside the title: filters, buttons. */
  readonly tools?: ReactNode;
  readonly above?: ReactNode;
  readonly list: ReactNode;
  readonly detail?: ReactNode;
  /** Something is selected: a phone shows it instead of the list. */
  readonly isOpen: boolean;
  readonly onBack: () => void;
  readonly hint?: string;
}

export function Split({ title, tools, above, list, detail, isOpen, onBack, hint }: SplitProps) {
  return (
    <main className={`view split ${isOpen ? "open" : ""}`}>
      <header className="head">
        <h1>{title}</h1>
        {tools}
      </header>
      {above}
      <div className="panes">
        <section className="list-pane" aria-label={`${title}: list`}>
          {list}
        </section>
        <section className="detail-pane" aria-label={`${title}: detail`}>
          {isOpen && (
            <button type="button" className="back" onClick={onBack}>
              <Icon name="back" /> {title}
            </button>
          )}
          <Guard>{detail || <p className="hint">{hint ?? "Choose a row to see more."}</p>}</Guard>
        </section>
      </div>
    </main>
  );
}

/** A view without a list. */
export function Page({
  title,
  tools,
  children,
}: Pick<SplitProps, "title" | "tools"> & { readonly children: ReactNode }) {
  return (
    <main className="view page">
      <header className="head">
        <h1>{title}</h1>
        {tools}
      </header>
      <div className="page-body">{children}</div>
    </main>
  );
}
