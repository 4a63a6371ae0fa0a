/**
 * Finds the routes that could match a text by four characters that each of them needs. The cost grows with
 * the text, not with the number of routes. A route without such characters, or with a field of its own, is
 * always possible.
 */
import type { CompiledRoute } from "../../rules/routes.ts";

const magic = 0x7467_6978;
const headWords = 6;
/** How many bits a sum has. There is one bit for each sum, to pass over most places of a text without a search. */
const fewestSumBits = 8;
const mostSumBits = 16;

/** Which of `routes` are possible is answered by their positions in it. */
export function encodeTextIndex(routes: readonly CompiledRoute[]): Buffer {
  const common = countPieces(routes);
  const entries: { piece: number; route: number }[] = [];
  const always: number[] = [];
  for (const [route, by] of routes.entries()) {
    const pieces = by.field === undefined ? piecesOf(by, common) : undefined;
    if (pieces === undefined) always.push(route);
    else for (const piece of pieces) entries.push({ piece, route });
  }
  entries.sort((a, b) => a.piece - b.piece || a.route - b.route);
  const sumBits = sumBitsFor(entries.length);
  const sums = new Uint32Array(2 ** sumBits / 32);
  for (const { piece } of entries) {
    const sum = sumOf(piece, sumBits);
    sums[sum >>> 5] = (sums[sum >>> 5] as number) | (1 << (sum & 31));
  }
  const folds = routes.some(({ foldsCase, field }) => foldsCase && field === undefined);
  const words = Uint32Array.from([
    ...[magic, routes.length, entries.length, always.length, folds ? 1 : 0, sumBits],
    ...sums,
    ...entries.map(({ piece }) => piece),
    ...entries.map(({ route }) => route),
    ...always,
  ]);
  return Buffer.from(words.buffer);
}

export class TextIndex {
  readonly count: number;
  readonly #sums: Uint32Array;
  readonly #sumBits: number;
  readonly #pieces: Uint32Array;
  readonly #routes: Uint32Array;
  readonly #always: Uint32Array;
  readonly #folds: boolean;

  /** Throws when the bytes are no index. */
  constructor(bytes: Buffer) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    const [mark, count = 0, entries = 0, always = 0, folds, sumBits = 0] = words;
    const piecesAt = headWords + 2 ** sumBits / 32;
    const isKnown = mark === magic && sumBits >= fewestSumBits && sumBits <= mostSumBits;
    if (!isKnown || count === 0 || piecesAt + 2 * entries + always !== words.length)
      throw new Error("The rule cache is damaged.");
    this.count = count;
    this.#sums = words.subarray(headWords, piecesAt);
    this.#pieces = words.subarray(piecesAt, piecesAt + entries);
    this.#routes = words.subarray(piecesAt + entries, piecesAt + 2 * entries);
    this.#always = words.subarray(piecesAt + 2 * entries);
    this.#folds = folds === 1;
    this.#sumBits = sumBits;
  }

  /** In order, each once. Without texts: those that look at fields of their own. */
  possible(texts: readonly string[]): number[] {
    const found = new Set<number>(this.#always);
    for (const text of texts) {
      this.#look(text, found);
      if (this.#folds) this.#look(text.toLowerCase(), found);
    }
    return [...found].sort((a, b) => a - b);
  }

  #look(text: string, found: Set<number>): void {
    const sums = this.#sums;
    const sumBits = this.#sumBits;
    let piece = 0;
    let taken = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 255) {
        taken = 0;
        continue;
      }
      piece = ((piece << 8) | code) >>> 0;
      if (++taken < 4) continue;
      const sum = sumOf(piece, sumBits);
      if (((sums[sum >>> 5] as number) >>> (sum & 31)) & 1) this.#find(piece, found);
    }
  }

  #find(piece: number, found: Set<number>): void {
    const pieces = this.#pieces;
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pieces[middle] as number) < piece) low = middle + 1;
      else high = middle;
    }
    for (; low < pieces.length && pieces[low] === piece; low++) found.add(this.#routes[low] as number);
  }
}

/** Few bits for few pieces: every byte of an index is proved before it is believed. */
function sumBitsFor(pieces: number): number {
  return Math.min(mostSumBits, Math.max(fewestSumBits, Math.ceil(Math.log2(pieces * 32 + 1))));
}

function sumOf(piece: number, sumBits: number): number {
  return Math.imul(piece, 0x9e37_79b1) >>> (32 - sumBits);
}

/** One piece for each text of a requirement: if the text occurs, so does the piece. Undefined: none. */
function piecesOf({ needs }: CompiledRoute, common: ReadonlyMap<number, number>): Set<number> | undefined {
  if (needs === undefined) return undefined;
  let best: { readonly pieces: Set<number>; readonly weight: number } | undefined;
  for (const requirement of typeof needs === "string" ? [needs] : needs) {
    const pieces = new Set<number>();
    let weight = 0;
    for (const text of typeof requirement === "string" ? [requirement] : requirement) {
      const rarest = rarestIn(text, common);
      // Without a piece for this text, the requirement could hold unseen.
      if (rarest === undefined) {
        weight = Number.POSITIVE_INFINITY;
        break;
      }
      pieces.add(rarest);
      weight += common.get(rarest) ?? 0;
    }
    if (weight < (best?.weight ?? Number.POSITIVE_INFINITY)) best = { pieces, weight };
  }
  return best?.pieces;
}

function rarestIn(text: string, common: ReadonlyMap<number, number>): number | undefined {
  let rarest: number | undefined;
  for (const piece of allPieces(text)) {
    if (rarest === undefined || (common.get(piece) ?? 0) < (common.get(rarest) ?? 0)) rarest = piece;
  }
  return rarest;
}

/** How many routes have each piece: `http` says little, `t712` a lot. */
function countPieces(routes: readonly CompiledRoute[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { needs } of routes) {
    const own = new Set<number>();
    for (const requirement of typeof needs === "string" ? [needs] : (needs ?? []))
      for (const text of typeof requirement === "string" ? [requirement] : requirement)
        for (const piece of allPieces(text)) own.add(piece);
    for (const piece of own) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  }
  return counts;
}

function allPieces(text: string): number[] {
  const pieces: number[] = [];
  for (let at = 0; at + 4 <= text.length; at++) {
    const codes = [0, 1, 2, 3].map((step) => text.charCodeAt(at + step));
    if (codes.every((code) => code <= 255))
      pieces.push(codes.reduce((sum, code) => ((sum << 8) | code) >>> 0, 0));
  }
  return pieces;
}
