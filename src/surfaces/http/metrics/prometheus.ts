/** Counters, histograms and gauges in Prometheus' text format; as small as what we measure needs. */

export type Labels = Readonly<Record<string, string>>;

export class Counter {
  readonly #values = new Map<string, number>();
  readonly #head: string;
  readonly #name: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#head = head(name, help, "counter");
  }

  add(labels: Labels, by = 1): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }

  render(): string {
    return (
      this.#head + [...this.#values].map(([key, value]) => `${this.#name}${braces(key)} ${value}\n`).join("")
    );
  }
}

export class Histogram {
  readonly #series = new Map<string, { readonly buckets: number[]; sum: number; count: number }>();
  readonly #bounds: readonly number[];
  readonly #head: string;
  readonly #name: string;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#bounds = bounds;
    this.#head = head(name, help, "histogram");
  }

  observe(labels: Labels, value: number): void {
    const key = labelText(labels);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { buckets: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, series);
    }
    const at = this.#bounds.findIndex((bound) => value <= bound);
    if (at !== -1) series.buckets[at] = (series.buckets[at] ?? 0) + 1;
    series.sum += value;
    series.count++;
  }

  render(): string {
    let text = this.#head;
    for (const [key, { buckets, sum, count }] of this.#series) {
      let below = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        below += buckets[index] ?? 0;
        text += `${this.#name}_bucket${braces(join(key, `le="${bound}"`))} ${below}\n`;
      }
      text += `${this.#name}_bucket${braces(join(key, 'le="+Inf"'))} ${count}\n`;
      text += `${this.#name}_sum${braces(key)} ${sum}\n${this.#name}_count${braces(key)} ${count}\n`;
    }
    return text;
  }
}

/** Known only when it is asked for. */
export function renderGauge(
  name: string,
  help: string,
  values: readonly (readonly [labels: Labels, value: number])[],
  type: "gauge" | "counter" = "gauge",
): string {
  return (
    head(name, help, type) +
    values.map(([labels, value]) => `${name}${braces(labelText(labels))} ${value}\n`).join("")
  );
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",");
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function join(key: string, more: string): string {
  return key === "" ? more : `${key},${more}`;
}

function braces(key: string): string {
  return key === "" ? "" : `{${key}}`;
}
