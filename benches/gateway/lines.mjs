// Lines of a stream, all those of one chunk together. A long line that comes in many chunks is joined once, at its end.

export function readLines(stream, onLines) {
  let kept = [];
  stream.on("data", (chunk) => {
    const last = chunk.lastIndexOf(10);
    if (last === -1) {
      kept.push(chunk);
      return;
    }
    const whole = chunk.subarray(0, last);
    const text = kept.length === 0 ? whole.toString() : Buffer.concat([...kept, whole]).toString();
    kept = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    onLines(text.split("\n").filter((line) => line !== ""));
  });
}
