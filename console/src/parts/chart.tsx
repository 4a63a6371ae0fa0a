/** A chart over time (uPlot): lines or stacked bars, the colours of the theme, a brush that tells what was chosen. */
import { useEffect, useRef } from "react";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { loadPlot } from "./load-plot.ts";

export interface Series {
  readonly name: string;
  /** A variable of colours.css. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly kind: "bars" | "lines";
  readonly height?: number;
  readonly unit?: (value: number) => string;
  readonly onZoom?: (since: number, until: number) => void;
}

export function Chart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const zoom = useRef(props.onZoom);
  zoom.current = props.onZoom;
  const { label, times, series, kind, height = 140, unit } = props;
  const said = JSON.stringify([times, series, kind, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again when what is said changes, not with every new array.
  useEffect(() => {
    const element = place.current;
    if (element === null || times.length === 0) return;
    let plot: uPlot | undefined;
    let library: Plot | undefined;
    const draw = () => {
      plot?.destroy();
      if (library === undefined) return;
      const options = optionsOf(library, { times, series, kind, height, unit }, element, zoom);
      plot = new library(options, dataOf(times, series, kind), element);
    };
    const size = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    const theme = matchMedia("(prefers-color-scheme: dark)");
    let isGone = false;
    // Loaded by the first chart. Without it the figures are still there, and so is the page.
    void loadPlot().then(
      (loaded) => {
        if (isGone) return;
        library = loaded;
        draw();
        size.observe(element);
        theme.addEventListener("change", draw);
      },
      () => {},
    );
    return () => {
      isGone = true;
      size.disconnect();
      theme.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [said]);
  return (
    <figure className="chart-figure">
      <figcaption>
        <span className="strong">{label}</span>
        {series.map(({ name, colour }) => (
          <span key={name} className="legend">
            <span className="swatch" style={{ background: `var(${colour})` }} /> {name}
          </span>
        ))}
      </figcaption>
      <div
        ref={place}
        className="chart"
        style={{ height }}
        role="img"
        aria-label={`${label}: ${series.map(({ name, values }) => `${name} ${sum(values)}`).join(", ")}`}
      />
    </figure>
  );
}

type Plot = typeof uPlot;

type Drawn = Pick<ChartProps, "times" | "series" | "kind"> & {
  readonly height: number;
  readonly unit: ChartProps["unit"] | undefined;
};

function optionsOf(
  library: Plot,
  drawn: Drawn,
  element: HTMLElement,
  zoom: { readonly current: ChartProps["onZoom"] },
): uPlot.Options {
  const { series, kind, height, unit, times } = drawn;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `12px ${style.getPropertyValue("--sans")}`;
  const bars = library.paths.bars;
  const shared = {
    stroke: colour("--quiet"),
    font,
    ticks: { show: false },
    grid: { stroke: colour("--line"), width: 1 },
  };
  const stepS = times.length > 1 ? ((times[1] ?? 0) - (times[0] ?? 0)) / 1_000 : 60;
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    // The last time stands at the very end, and half of it would be cut.
    padding: [8, 20, 0, 0],
    cursor: {
      drag: { x: zoom.current !== undefined, y: false, setScale: false },
      points: { show: false },
      y: false,
    },
    scales: {
      x: {
        time: true,
        range: (_plot, low, high) => [low - stepS / 2, high + stepS / 2],
      },
      y: { range: (_plot, _low, high) => [0, Math.max(high ?? 0, 1) * 1.08] },
    },
    axes: [
      { ...shared, grid: { show: false }, size: 28, space: 80, values: timeLabels },
      {
        ...shared,
        size: 56,
        // A low chart would have room for the zero alone.
        space: height < 120 ? 20 : 32,
        values: (_plot, ticks) =>
          ticks.map((tick) => unit?.(tick) ?? (Number.isInteger(tick) ? String(tick) : "")),
      },
    ],
    series: [
      {},
      ...[...series].map((one) => ({
        label: one.name,
        stroke: colour(one.colour),
        width: kind === "bars" ? 0 : 1.5,
        points: { show: kind === "lines", size: 4, fill: colour(one.colour) },
        ...(kind === "bars" && {
          fill: colour(one.colour),
          ...(bars !== undefined && { paths: bars({ size: [0.8, 40], align: 0 }) }),
        }),
      })),
    ],
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          zoom.current?.(plot.posToVal(left, "x") * 1_000, plot.posToVal(left + width, "x") * 1_000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

function timeLabels(_plot: uPlot, ticks: number[]): string[] {
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  const style: Intl.DateTimeFormatOptions =
    span > 172_800
      ? { day: "numeric", month: "short" }
      : { hour: "2-digit", minute: "2-digit", ...(span < 120 && { second: "2-digit" }) };
  return ticks.map((tick) => new Date(tick * 1_000).toLocaleString("en-GB", style));
}

/** Bars stand on each other: the first series is drawn first, with all that lies below it. */
function dataOf(
  times: readonly number[],
  series: readonly Series[],
  kind: ChartProps["kind"],
): uPlot.AlignedData {
  const seconds = times.map((time) => time / 1_000);
  if (kind === "lines") return [seconds, ...series.map(({ values }) => [...values])];
  const stacked = series.map((_, index) =>
    times.map((_time, at) => series.slice(index).reduce((total, { values }) => total + (values[at] ?? 0), 0)),
  );
  return [seconds, ...stacked];
}

function sum(values: readonly (number | null)[]): number {
  return Math.round(values.reduce<number>((total, value) => total + (value ?? 0), 0));
}
