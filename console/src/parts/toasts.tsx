/** Short messages at the edge, with at most one thing to do. They never take the focus. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

export interface Toast {
  readonly text: string;
  readonly tone?: "plain" | "refused";
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Default: 6 s; 0: until it is taken away. */
  readonly forMs?: number;
}

export interface Toasts {
  /** Shows it, and gives what takes it away. */
  show(toast: Toast): () => void;
}

const ToastContext = createContext<Toasts>({ show: () => () => {} });

export function useToasts(): Toasts {
  return useContext(ToastContext);
}

export function ToastPlace({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly (Toast & { readonly id: string })[]>([]);
  const remove = useCallback((id: string) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const value = useMemo<Toasts>(
    () => ({
      show(toast) {
        const id = crypto.randomUUID();
        const { forMs = 6_000 } = toast;
        setToasts((all) => [...all.slice(-3), { ...toast, id }]);
        if (forMs > 0) setTimeout(() => remove(id), forMs);
        return () => remove(id);
      },
    }),
    [remove],
  );
  return (
    <ToastContext value={value}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text, tone = "plain", action }) => (
          <div key={id} className={`toast ${tone}`}>
            <span>{text}</span>
            {action !== undefined && (
              <button
                type="button"
                onClick={() => {
                  action.run();
                  remove(id);
                }}
              >
                {action.label}
              </button>
            )}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
