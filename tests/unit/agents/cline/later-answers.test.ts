import { describe, expect, it } from "vitest";
import { createLaterAnswers } from "../../../../src/agents/cline/later-answers.ts";

function question(): { ask: () => Promise<string>; answer: (text: string) => void; asked: () => number } {
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    ask: () => {
      count += 1;
      return promise;
    },
    answer: resolve,
    asked: () => count,
  };
}

describe("an answer that takes longer than Cline waits", () => {
  it("is fetched by the same question, which is asked once", async () => {
    const later = createLaterAnswers({ patienceMs: 5 });
    const { ask, answer, asked } = question();
    expect(await later.soon("call", ask)).toBeUndefined();
    expect(await later.soon("call", ask)).toBeUndefined();
    answer("yes");
    expect(await later.soon("call", ask)).toBe("yes");
    expect(asked()).toBe(1);
  });

  it("counts once: the next one like it is a question of its own", async () => {
    const later = createLaterAnswers({ patienceMs: 1_000 });
    let count = 0;
    const ask = async () => `answer ${++count}`;
    expect(await later.soon("call", ask)).toBe("answer 1");
    expect(await later.soon("call", ask)).toBe("answer 2");
  });

  it("is never the answer to another question", async () => {
    const later = createLaterAnswers({ patienceMs: 5 });
    const first = question();
    expect(await later.soon("one", first.ask)).toBeUndefined();
    first.answer("yes");
    expect(await later.soon("other", async () => "no")).toBe("no");
  });

  it("is remembered as waiting, once", () => {
    const later = createLaterAnswers({ patienceMs: 5 });
    expect(later.waiting("1")).toContain("make exactly the same call again");
    expect([later.wasWaiting("1"), later.wasWaiting("1"), later.wasWaiting("2")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
