// The numbers as tables, and what they say about the bars.

import { bar, median, quantile, round3, table } from "../measure.mjs";
import { bars as limits } from "./bars.mjs";

export function report(rows, skipped) {
  const by = new Map(rows.map((row) => [row.key, row]));
  printTable(
    "stdio",
    rows.filter(({ over }) => over === "stdio"),
    by,
  );
  const http = rows.filter(({ over }) => over !== "stdio");
  if (http.length > 0) printTable("HTTP", http, by);
  for (const { name, reason } of skipped) console.log(`skipped: ${name}: ${reason}`);
  const bars = judge(rows, by);
  if (bars.length > 0) {
    console.log("");
    console.log(
      table(
        ["bar", "value", "middle half", "at most", ""],
        bars.map(({ bar: name, value, low, high, max, ok }) => [
          name,
          String(value),
          `${low} .. ${high}`,
          String(round3(max)),
          ok ? "held" : "MISSED",
        ]),
      ),
    );
  }
  tellFloor(by);
  return { rows: rows.map(summary), bars };
}

/** What nobody can go below, and what others take: a bar says little without them. */
function tellFloor(by) {
  const sdk = by.get("sdk-v1");
  const floor = by.get("floor");
  if (!sdk || !floor) return;
  const { value } = ratioOf(floor.addedMs, sdk.addedMs);
  console.log("");
  console.log(
    `To compare: the floor adds ${value.toFixed(2)} of what SDK v1's gateway does to a call, which holds ${Math.round(sdk.memoryMb)} MB, and ${Math.round(sdk.memoryFloodedMb)} after the floods.`,
  );
}

function printTable(title, rows, by) {
  const direct = by.get("direct");
  const head = [
    title,
    "p50 ms",
    "added ms",
    "CPU ms",
    "calls/s",
    "fetch",
    "list ms",
    "x direct",
    "start ms",
    "first",
    "MB",
    "flooded",
    "MB list",
  ];
  const lines = rows.map((row) => [
    row.name,
    row.p50Ms ? median(row.p50Ms).toFixed(3) : "",
    row.addedMs ? median(row.addedMs).toFixed(3) : "",
    row.calls ? (row.cpuMs / row.calls).toFixed(3) : "",
    row.perSecond ? Math.round(median(row.perSecond)).toLocaleString("en") : "",
    row.fetchPerSecond?.length > 0 ? Math.round(median(row.fetchPerSecond)).toLocaleString("en") : "",
    row.listMs ? median(row.listMs).toFixed(1) : "",
    row.listMs && direct.listMs ? ratioOf(row.listMs, direct.listMs).value.toFixed(2) : "",
    row.startMs ? Math.round(median(row.startMs)).toString() : "",
    row.firstStartMs ? Math.round(row.firstStartMs).toString() : "",
    row.memoryMb ? Math.round(row.memoryMb).toString() : "",
    row.memoryFloodedMb ? Math.round(row.memoryFloodedMb).toString() : "",
    row.memoryManyMb ? Math.round(row.memoryManyMb).toString() : "",
  ]);
  console.log(table(head, lines));
  console.log("");
}

function judge(rows, by) {
  const found = [];
  const sdk = by.get("sdk-v1");
  for (const ours of rows.filter(
    ({ key }) => key === "toolgate" || key === "toolgate-http" || key === "toolgate-http-modern",
  )) {
    const stdio = ours.over === "stdio";
    const peers = rows.filter(({ peer, over }) => peer && (over === "stdio") === stdio);
    const add = (name, value, max) => found.push(bar(`${ours.name}: ${name}`, value, round3(max)));
    if (stdio && sdk) add("added p50, of SDK v1's", ratioOf(ours.addedMs, sdk.addedMs), limits.addedOfSdk);
    if (peers.length > 0) {
      const best = peers.reduce((a, b) => (median(a.perSecond) > median(b.perSecond) ? a : b));
      const share = stdio ? limits.callsOfBestPeer : limits.callsOfBestHttpPeer;
      add(`calls/s of ${best.name} over ours`, ratioOf(best.perSecond, ours.perSecond), 1 / share);
    }
    const raw = by.get("raw-http");
    if (!stdio && raw)
      add(
        "calls/s of raw node:http over ours, fetch",
        ratioOf(raw.fetchPerSecond, ours.fetchPerSecond),
        1 / limits.callsOfRawHttp,
      );
    if (!stdio) add("CPU ms per call", exactly(ours.cpuMs / ours.calls), limits.cpuMsPerHttpCall);
    const direct = by.get("direct");
    if (stdio && ours.listMs)
      add("list of 1,000, of direct", ratioOf(ours.listMs, direct.listMs), limits.listOfDirect);
    const sameSdk = stdio ? sdk : by.get("sdk-v1-http");
    if (sameSdk && ours.startMs)
      add("start, of SDK v1's", ratioOf(ours.startMs, sameSdk.startMs), limits.startOfSdk);
    if (sameSdk) add("memory after the floods, of SDK v1's", memoryOf(ours, sameSdk), limits.memoryOfSdk);
  }
  return found;
}

function summary(row) {
  const { key, name, over, firstStartMs, memoryMb, memoryFloodedMb, memoryManyMb } = row;
  const mid = (values) => (values?.length > 0 ? round3(median(values)) : undefined);
  return {
    key,
    name,
    over,
    p50Ms: mid(row.p50Ms),
    addedMs: mid(row.addedMs),
    cpuMs: row.calls ? round3(row.cpuMs / row.calls) : undefined,
    perSecond: mid(row.perSecond),
    fetchPerSecond: mid(row.fetchPerSecond),
    listMs: mid(row.listMs),
    startMs: mid(row.startMs),
    firstStartMs: firstStartMs && round3(firstStartMs),
    memoryMb: memoryMb && round3(memoryMb),
    memoryFloodedMb: memoryFloodedMb && round3(memoryFloodedMb),
    memoryManyMb: memoryManyMb && round3(memoryManyMb),
  };
}

/** Everybody is flooded for the same time, so who is quicker has made more calls. */
function memoryOf(ours, theirs) {
  return exactly(ours.memoryFloodedMb / theirs.memoryFloodedMb);
}

/** Taken inside each round, then the middle one. */
function ratioOf(ours, theirs) {
  const ratios = ours.map((value, round) => value / theirs[round]);
  return { value: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

function exactly(value) {
  return { value, low: value, high: value };
}
