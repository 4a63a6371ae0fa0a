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

export const webShape = section({ search }, "What the web tools use.");

export type SaidSearch = SettingsOf<typeof search>;

/** The service that answers web.search. */
export type WebSearchSettings = SaidSearch & Required<Pick<SaidSearch, "format">>;
