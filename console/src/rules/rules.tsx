/** Rules. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Rules(_props: ViewProps) {
  return <Page title="Rules">Soon.</Page>;
}
