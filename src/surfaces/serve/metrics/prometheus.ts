/** Counters, histograms and gauges in Prometheus' text format; as small as what we measure needs. */

export type Labels = Readonly<Record<string, string>>;

/** A family of series, one for each set of labels. Code that counts often keeps its series. */
export class Counter {
  readonly #series = new Map<string, CounterSeries>();
  readonly #head: string;
  readonly #name: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#head = head(name, help, "counter");
  }

  with(labels: Labels): CounterSeries {
    return keptUnder(this.#series, labelText(labels), () => ({ value: 0 }));
  }

  render(): string {
    const lines = [...this.#series].map(([key, { value }]) => `${this.#name}${braces(key)} ${value}\n`);
    return this.#head + lines.join("");
  }
}

export interface CounterSeries {
  value: number;
}

export class Histogram {
  readonly #series = new Map<string, HistogramSeries>();
  readonly #bounds: readonly number[];
  readonly #head: string;
  readonly #name: string;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#bounds = bounds;
    this.#head = head(name, help, "histogram");
  }

  with(labels: Labels): HistogramSeries {
    return keptUnder(this.#series, labelText(labels), () => new HistogramSeries(this.#bounds));
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

export class HistogramSeries {
  readonly buckets: number[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.buckets = bounds.map(() => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at++;
    if (at < this.#bounds.length) this.buckets[at] = (this.buckets[at] ?? 0) + 1;
    this.sum += value;
    this.count++;
  }
}

/** The value of a key, made when it is asked for first. */
export function keptUnder<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** A gauge is read when it is rendered. */
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
