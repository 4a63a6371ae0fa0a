/** The section `web` of a configuration file: what the web tools use. */
import { choice, closed, flag, named, section, text } from "../../core/input/shape.ts";
import type { SettingsOf } from "./read-section.ts";

const search = closed(
  {
    url: text("The service's address, without the question: it is added as the format says.", {
      minLength: 1,
      maxLength: 2_000,
      examples: ["https://search.example.org/search", "https://api.search.brave.com/res/v1/web/search"],
    }),
    format: choice(
      ["searxng", "brave"],
      "How it is asked and answers. searxng: ?q=...&format=json. brave: ?q=...&count=..., with a key.",
      { default: "searxng" },
    ),
    key_env: text("The environment variable that holds its key. Keys do not belong into this file.", {
      ...named,
      examples: ["BRAVE_API_KEY"],
    }),
    key_header: text("The header for the key. By default what the format uses.", {
      ...named,
      examples: ["Authorization"],
    }),
    key_prefix: text("Written before the key.", { maxLength: 100, examples: ["Bearer "] }),
    allow_private: flag(
      "It runs on this machine or in one's own network. Without this only public addresses are asked.",
      { default: false },
    ),
  },
  ["url"],
  "The service that answers web.search.",
);

const allowPrivate = {
  type: "array",
  items: {
    type: "string",
    pattern: "^(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\]):[0-9]{1,5}$",
    maxLength: 300,
  },
  description:
    "Hosts of this machine or one's own network that web.fetch and the browser may reach, with their ports, as an address names them.",
  examples: [["localhost:3000"]],
} as const;

const browser = closed(
  {
    sandbox: flag(
      "The browser's own sandbox around pages. It does not work for the superuser and in some containers; without it, a page that breaks the browser has the rights of toolgate.",
      { default: true },
    ),
  },
  [],
  "The browser of the browser tools.",
);

export const webShape = section(
  { search, allow_private: allowPrivate, browser },
  "What the web tools and the browser use.",
);

export type BrowserSettings = SettingsOf<typeof browser>;

export type SaidSearch = SettingsOf<typeof search>;

/** The service that answers web.search. */
export type WebSearchSettings = SaidSearch & Required<Pick<SaidSearch, "format">>;
