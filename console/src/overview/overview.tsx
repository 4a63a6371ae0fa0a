/** Overview. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Overview(_props: ViewProps) {
  return <Page title="Overview">Soon.</Page>;
}
