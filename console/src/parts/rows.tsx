/** A list of rows of one height, of which only those in sight are drawn; arrows and j, k move. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef } from "react";

export interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly children: (row: Row) => ReactNode;
  readonly height?: number;
  /** Keys that the list does not use itself. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The last row is in sight. */
  readonly onEnd?: () => void;
  readonly listRef?: Ref<HTMLDivElement>;
  readonly onScroll?: (top: number) => void;
}

export function Rows<Row>(props: RowsProps<Row>) {
  const { label, rows, keyOf, selected, onSelect, children, height = 48, onKey, onEnd, onScroll } = props;
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const shown = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    getItemKey: (index) => keyOf(rows[index] as Row),
    overscan: 10,
  });
  const items = shown.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  const at = rows.findIndex((row) => keyOf(row) === selected);
  const move = (to: number) => {
    const row = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (row === undefined) return;
    onSelect(keyOf(row));
    shown.scrollToIndex(rows.indexOf(row), { align: "auto" });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step === undefined) return onKey?.(event);
    event.preventDefault();
    move(step === "first" ? 0 : step === "last" ? rows.length - 1 : at < 0 ? 0 : at + step);
  };
  return (
    <div
      ref={(element) => {
        place.current = element;
        if (typeof props.listRef === "function") props.listRef(element);
        else if (props.listRef) props.listRef.current = element;
      }}
      className="rows"
      role="listbox"
      aria-label={label}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={onScroll && ((event) => onScroll(event.currentTarget.scrollTop))}
    >
      <div className="rows-space" style={{ height: shown.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index] as Row;
          const key = keyOf(row);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the list.
            <div
              key={item.key}
              id={`${id}-${item.index}`}
              role="option"
              aria-selected={key === selected}
              tabIndex={-1}
              className="row"
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              onClick={() => {
                place.current?.focus({ preventScroll: true });
                onSelect(key);
              }}
            >
              {children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const steps: Readonly<Record<string, number | "first" | "last">> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: "first",
  End: "last",
};
