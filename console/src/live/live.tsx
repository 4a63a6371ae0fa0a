/** Live. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Live(_props: ViewProps) {
  return <Page title="Live">Soon.</Page>;
}
