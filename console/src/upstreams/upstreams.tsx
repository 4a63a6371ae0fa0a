/** Upstreams. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Upstreams(_props: ViewProps) {
  return <Page title="Upstreams">Soon.</Page>;
}
