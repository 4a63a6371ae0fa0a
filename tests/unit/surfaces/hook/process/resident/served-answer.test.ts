import { describe, expect, it } from "vitest";
import { readServedAnswer } from "../../../../../../src/surfaces/hook/process/resident/served-answer.ts";

const read = (text: string) => readServedAnswer(Buffer.from(text));

describe("what a server answers to a hook", () => {
  it("is a code and two texts by their lengths in bytes", () => {
    expect(read("2 4 5\n{é}näh\n")).toEqual({ exitCode: 2, stdout: "{é}", stderr: "näh\n" });
    expect(read("0 0 0\n")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("may name a part of the first text as the second one", () => {
    const out = '{"deny":"one\\ntwo"}';
    expect(read(`2 ${out.length} =9:8\n${out}`)).toEqual({ exitCode: 2, stdout: out, stderr: "one\ntwo\n" });
  });

  it.each([
    ["another code", "1 0 0\n"],
    ["no code", "\n"],
    ["no end of the line", "0 0 0"],
    ["less than it says", "0 3 0\n{}"],
    ["more than it says", "0 1 0\n{}"],
    ["a part beyond the text", "2 2 =1:5\n{}"],
    ["a length that is no number", "0 1e1 0\n{}"],
  ])("is none with %s", (_what, text) => {
    expect(read(text)).toBeUndefined();
  });
});
