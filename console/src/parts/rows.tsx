/** A list of rows of one height, of which only those in sight are drawn; arrows and j, k move. */
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

export interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly children: (row: Row) => ReactNode;
  readonly height?: number;
  /** Rows come so fast that each place is drawn anew, instead of moving what was drawn. */
  readonly isFast?: boolean;
  /** Keys that the list does not use itself. */
  readonly onKey?: (event: KeyboardEvent) => void;
  /** The last row is in sight. */
  readonly onEnd?: () => void;
  readonly listRef?: Ref<HTMLDivElement>;
  readonly onScroll?: (top: number) => void;
}

export function Rows<Row>(props: RowsProps<Row>) {
  const { label, rows, keyOf, selected, onSelect, children, height = 48, isFast = false } = props;
  const { onKey, onEnd, onScroll } = props;
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const { first, last, onScroll: look } = useWindow(place, rows.length, height);
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  const at = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const move = (to: number) => {
    const index = Math.min(Math.max(to, 0), rows.length - 1);
    const row = rows[index];
    if (row === undefined) return;
    onSelect(keyOf(row));
    bringIntoSight(place.current, index * height, height);
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
      onScroll={({ currentTarget: { scrollTop } }) => {
        look(scrollTop);
        onScroll?.(scrollTop);
      }}
    >
      <div className="rows-space" style={{ height: rows.length * height }}>
        {rows.slice(first, last + 1).map((row, offset) => {
          const index = first + offset;
          const key = keyOf(row);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the list.
            <div
              key={isFast ? index : key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={key === selected}
              tabIndex={-1}
              className="row"
              style={{ height, transform: `translateY(${index * height}px)` }}
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

function bringIntoSight(list: HTMLElement | null, top: number, height: number): void {
  if (list === null) return;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight)
    list.scrollTop = top + height - list.clientHeight;
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

interface Seen {
  readonly first: number;
  /** -1: there are none. */
  readonly last: number;
  readonly onScroll: (top: number) => void;
}

/** Drawn above and below, so that a quick scroll meets rows. */
const beyond = 8;

/** Asks nothing of the rows themselves, so that a long list costs no more than a short one. */
function useWindow(place: RefObject<HTMLElement | null>, count: number, height: number): Seen {
  const [above, setAbove] = useState(0);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const list = place.current;
    if (list === null) return;
    const measure = () => setRoom(Math.ceil(list.clientHeight / height));
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(list);
    return () => watching.disconnect();
  }, [place, height]);
  const last = Math.min(count - 1, above + room + beyond);
  return {
    first: Math.max(0, Math.min(above - beyond, last - room)),
    last,
    onScroll: (top) => setAbove(Math.max(0, Math.floor(top / height))),
  };
}
