/** Loads the library of charts. It would fail where the browser's language is none (`en-US@posix`). */
import type uPlot from "uplot";

export async function loadPlot(): Promise<typeof uPlot> {
  if (!isLanguage(navigator.language))
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  return (await import("uplot")).default;
}

function isLanguage(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}
