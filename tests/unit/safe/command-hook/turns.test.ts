import { describe, expect, it } from "vitest";
import { Turns } from "../../../../src/safe/command-hook/turns.ts";

const never = new AbortController().signal;

/** Takes places for these owners at once; tells who began, and ends whoever is named. */
function line(turns: Turns, owners: readonly string[], signals: Record<number, AbortSignal> = {}) {
  const began: string[] = [];
  const places = new Map<string, () => void>();
  for (const [index, owner] of owners.entries()) {
    const name = `${owner}${index}`;
    void turns.take(owner, signals[index] ?? never).then((place) => {
      if (place === undefined) return;
      began.push(name);
      places.set(name, place);
    });
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    began: async () => {
      await settle();
      return began.join(" ");
    },
    end: (name: string) => places.get(name)?.(),
  };
}

describe("turns", () => {
  it("lets as many begin as there are places, the rest as others end", async () => {
    const { began, end } = line(new Turns(2), ["a", "a", "a", "a"]);
    expect(await began()).toBe("a0 a1");
    end("a1");
    expect(await began()).toBe("a0 a1 a2");
    end("a0");
    end("a2");
    expect(await began()).toBe("a0 a1 a2 a3");
  });

  it("serves sessions in turn, so that a flood of one does not starve another", async () => {
    const { began, end } = line(new Turns(1), ["flood", "flood", "flood", "flood", "calm"]);
    await began();
    end("flood0");
    expect(await began()).toBe("flood0 flood1");
    end("flood1");
    expect(await began()).toBe("flood0 flood1 calm4");
    end("calm4");
    expect(await began()).toBe("flood0 flood1 calm4 flood2");
  });

  it("forgets who no longer waits", async () => {
    const leaving = new AbortController();
    const { began, end } = line(new Turns(1), ["a", "a", "a"], { 1: leaving.signal });
    await began();
    leaving.abort();
    end("a0");
    expect(await began()).toBe("a0 a2");
  });

  it("takes a place back once, however often it is given", async () => {
    const turns = new Turns(1);
    const { began, end } = line(turns, ["a", "a", "a"]);
    await began();
    end("a0");
    end("a0");
    expect(await began()).toBe("a0 a1");
  });
});
