import { describe, expect, it } from "vitest";
import { createFloodGate } from "../../../../../src/sources/builtin/browser/flood-gate.ts";

describe("what a browser says", () => {
  it("is dropped where a page says too much, and ends the browser where it asks for too much", () => {
    let now = 0;
    const judge = createFloodGate(() => now);
    const many = (count: number, message: string) => Array.from({ length: count }, () => judge(message));
    const chatter = many(301, '{"method":"Runtime.consoleAPICalled","params":{}}');
    expect([chatter.at(-2), chatter.at(-1)]).toEqual(["pass", "drop"]);
    const requests = many(3_001, '{"method":"Network.requestWillBeSent","params":{}}');
    expect([requests.at(-2), requests.at(-1)]).toEqual(["pass", "end"]);
    expect(new Set(many(10_000, '{"id":1,"result":{}}'))).toEqual(new Set(["pass"]));
    now = 10_000;
    expect(judge('{"method":"Runtime.consoleAPICalled","params":{}}')).toBe("pass");
    expect(judge('{"method":"Network.requestWillBeSent","params":{}}')).toBe("pass");
  });
});
