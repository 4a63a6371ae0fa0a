/** Agents. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Agents(_props: ViewProps) {
  return <Page title="Agents">Soon.</Page>;
}
