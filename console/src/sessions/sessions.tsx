/** Sessions. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Sessions(_props: ViewProps) {
  return <Page title="Sessions">Soon.</Page>;
}
