import { expect, it } from "vitest";
import { mergeAsking } from "../../../../src/config/settings/asking-settings.ts";

it("says nothing where no file does, or all say auto", () => {
  expect(mergeAsking([])).toBeUndefined();
  expect(mergeAsking([undefined, {}, { ask: "auto", unsure: "auto" }])).toBeUndefined();
});

it("takes from the most trusted file who is asked, also that it is left open", () => {
  expect(mergeAsking([undefined, { ask: "queue" }, { ask: "agent" }])).toEqual({ ask: "queue" });
  expect(mergeAsking([{ ask: "auto" }, { ask: "agent" }])).toBeUndefined();
});

it("takes what the strictest file says about doubt", () => {
  expect(mergeAsking([{ unsure: "auto" }, { unsure: "ask" }])).toEqual({ unsure: "ask" });
  expect(mergeAsking([{ unsure: "ask" }, { unsure: "deny", ask: "agent" }])).toEqual({
    unsure: "deny",
    ask: "agent",
  });
});
