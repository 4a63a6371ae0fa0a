/** Small marks, drawn with the colour of the text around them. */
import type { ReactNode } from "react";

const shapes = {
  inbox: <path d="M2.5 9.5 4.3 3h7.4l1.8 6.5V13h-11zm0 0h3l1 1.7h3l1-1.7h3" />,
  live: <path d="M1.5 8h3l2-5 3 10 2-5h3" />,
  sessions: <path d="M2.5 3h11v7.5h-6L4.5 13v-2.5h-2z" />,
  ledger: <path d="M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5" />,
  tools: (
    <path d="m9.6 6.4-6.3 6.2M9 3.5a3.1 3.1 0 0 0 3.8 3.9 3 3 0 0 1-4.2-3.7zM12.8 7.4l-2-.4L9.3 5 9 3.5" />
  ),
  rules: <path d="M3 3.5h10M3 8h6.5M3 12.5h8.5M12 6.5l1.5 1.5L12 9.5" />,
  suggestions: <path d="M6 12.5h4M6.5 14h3M5.8 10.5a3.9 3.9 0 1 1 4.4 0v.8H5.8z" />,
  upstreams: <path d="M3 3h10v3.6H3zM3 9.4h10V13H3zM5.2 4.8h.1M5.2 11.2h.1" />,
  overview: <path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6" />,
  agents: <path d="M4 6h8v6.5H4zM8 3v3M6.3 8.6v.8M9.7 8.6v.8M2 8.5v2M14 8.5v2" />,
  tokens: <path d="M8.8 7.2a3.2 3.2 0 1 0-1.6 1.6L8.5 10H10v1.5h1.5V13h2v-2zM5.4 5.4h.1" />,
  more: <path d="M3.5 8h.1M8 8h.1M12.5 8h.1" />,
  yes: <path d="m3 8.5 3.2 3L13 4.5" />,
  no: <path d="m4 4 8 8M12 4l-8 8" />,
  ask: <path d="M5.5 5.7A2.5 2.5 0 1 1 8 8.3v1.2M8 12h.1" />,
  warn: <path d="M8 2.5 14 13H2zM8 6.5v3M8 11.3h.1" />,
  dash: <path d="M4 8h8" />,
  run: <path d="M5 3.5v9l7-4.5z" />,
  write: <path d="m3 13 .7-3L10.5 3.2l2.3 2.3L6 12.3z" />,
  read: (
    <path d="M1.5 8S4 3.7 8 3.7 14.5 8 14.5 8 12 12.3 8 12.3 1.5 8 1.5 8zM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z" />
  ),
  back: <path d="M9.5 3.5 5 8l4.5 4.5" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  copy: <path d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
