import type { Page } from "playwright-core";
import { expect, it, onTestFinished, vi } from "vitest";
import { takePicture } from "../../../../../src/sources/builtin/browser/take-picture.ts";

it("gives up a picture that the driver itself waits for without a limit", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const hanging = { screenshot: () => new Promise(() => {}) } as unknown as Page;
  const taken = expect(takePicture(hanging)).rejects.toThrow("no picture within 15 s");
  await vi.advanceTimersByTimeAsync(16_000);
  await taken;
});
