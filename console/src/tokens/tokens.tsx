/** Tokens. */
import type { ViewProps } from "../app/views.ts";
import { Page } from "../parts/split.tsx";

export function Tokens(_props: ViewProps) {
  return <Page title="Tokens">Soon.</Page>;
}
