/** What an action is done to: a handle of browser.read, a CSS selector, or a place on the screen. */
import type { Locator, Page } from "playwright-core";
import type { Json, JsonObject } from "../../../core/input/json.ts";
import { viewport } from "./chrome-arguments.ts";

const refPattern = "^(?:f[0-9]{1,6})?e[0-9]{1,6}$";

export const targetFields = {
  ref: {
    type: "string",
    pattern: refPattern,
    description: "The handle of an element, such as e12, as browser.read lists it.",
  },
  selector: {
    type: "string",
    minLength: 1,
    maxLength: 1_000,
    description: "A CSS selector, where there is no handle. The first element that it finds counts.",
  },
} as const;

export const coordinateField = {
  type: "string",
  pattern: "^ *[0-9]{1,5}(?:\\.[0-9]{1,3})? *, *[0-9]{1,5}(?:\\.[0-9]{1,3})? *$",
  description: `A place in the screenshot as "x,y", from the upper left corner of ${viewport.width}x${viewport.height}.`,
} as const;

export interface Target {
  readonly ref?: string | undefined;
  readonly selector?: string | undefined;
  readonly coordinate?: string | undefined;
}

/** One of them, or what is wrong. */
export function explainTarget(target: Target, needed: boolean): string | undefined {
  const given = [target.ref, target.selector, target.coordinate].filter((one) => one !== undefined);
  if (given.length > 1) return "give one of ref, selector and coordinate, not several.";
  return needed && given.length === 0 ? "say where: ref, selector or coordinate." : undefined;
}

export function locate(page: Page, { ref, selector }: Target): Locator | undefined {
  if (ref !== undefined) return page.locator(`aria-ref=${ref}`);
  // Said to be CSS: other languages of selectors could look for more than an element.
  return selector === undefined ? undefined : page.locator(`css=${selector}`).first();
}

export function placeOf(coordinate: string): { readonly x: number; readonly y: number } {
  const [x = 0, y = 0] = coordinate.split(",").map(Number);
  return { x, y };
}

/** Agents write a place as two numbers, or with the size of the screen that they mean it on. */
export function withCoordinate(input: JsonObject): JsonObject {
  const { coordinate } = input;
  if (
    Array.isArray(coordinate) &&
    coordinate.length === 2 &&
    coordinate.every((one) => typeof one === "number")
  )
    return { ...input, coordinate: coordinate.join(",") };
  const scaled = typeof coordinate === "string" ? scale(coordinate) : undefined;
  return scaled === undefined ? input : { ...input, coordinate: scaled };
}

function scale(coordinate: string): Json | undefined {
  const parts = /^ *(\d{1,5}) *, *(\d{1,5}) *@ *(\d{1,5}) *[x,] *(\d{1,5}) *$/.exec(coordinate);
  if (parts === null) return undefined;
  const [x, y, width, height] = parts.slice(1).map(Number) as [number, number, number, number];
  if (width === 0 || height === 0) return undefined;
  return `${Math.round((x * viewport.width) / width)},${Math.round((y * viewport.height) / height)}`;
}
