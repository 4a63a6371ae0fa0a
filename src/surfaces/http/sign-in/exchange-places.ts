/**
 * Every exchange asks the issuer something: strangers who begin and finish without end must not make us flood it, nor
 * take all places from people. Whose address came rarely of late has places apart from the others.
 */
import type { Clock } from "../../../core/ports/ports.ts";

/** Undefined: there is no place. `from`: the address of the peer, where it is known. */
export type TakePlace = (from: string | undefined) => Disposable | undefined;

const most = 60;
const oneMs = 1_000;
const mostAtOnce = 8;

/** Behind a proxy everybody has one address: then all but these share what there is for everybody. */
const rarely = 10;
const oneRarelyMs = 6_000;
const mostAddresses = 1_000;

export function createExchangePlaces(clock: Pick<Clock, "monotonic">): TakePlace {
  const forEverybody = createPlaces(clock);
  const forRareOnes = createPlaces(clock);
  const seen = new Map<string, { readonly tries: number; readonly at: number }>();
  const triesOf = (address: string, moment: number) => {
    const { tries, at } = seen.get(address) ?? { tries: 0, at: moment };
    return Math.max(0, tries - (moment - at) / oneRarelyMs);
  };
  const comesRarely = (address: string) => {
    const moment = clock.monotonic();
    const tries = triesOf(address, moment);
    if (!seen.has(address) && seen.size >= mostAddresses)
      for (const old of seen.keys()) if (triesOf(old, moment) === 0) seen.delete(old);
    if (!seen.has(address) && seen.size >= mostAddresses) return false;
    seen.set(address, { tries: Math.min(tries + 1, 2 * rarely), at: moment });
    return tries < rarely;
  };
  return (from) => (from !== undefined && comesRarely(from) ? forRareOnes() : undefined) ?? forEverybody();
}

function createPlaces(clock: Pick<Clock, "monotonic">): () => Disposable | undefined {
  let taken = 0;
  let at = clock.monotonic();
  let under = 0;
  return () => {
    const moment = clock.monotonic();
    taken = Math.max(0, taken - (moment - at) / oneMs);
    at = moment;
    if (taken > most - 1 || under >= mostAtOnce) return undefined;
    taken++;
    under++;
    return {
      [Symbol.dispose]() {
        under--;
      },
    };
  };
}
