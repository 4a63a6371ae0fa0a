/** The conversation as the model is sent it: written once, measured, and cut where it grows too long. */
import type { Content } from "../../../core/call/content.ts";
import { estimateTokens } from "../../../core/text/estimate-tokens.ts";
import type { ChatMessage, ResultsMessage } from "./messages.ts";
import type { ModelApi, WrittenMessage } from "./model-api.ts";
import { imagesOf } from "./result-content.ts";

interface Entry {
  readonly message: ChatMessage;
  readonly written: WrittenMessage;
  /** An estimate: nobody but the endpoint knows how it counts. */
  readonly tokens: number;
  readonly images: number;
}

/** What a picture of ordinary size is counted as, however long its data is. */
const tokensPerImage = 1_600;
/** Cut below the limit, so that not every further step cuts again: endpoints keep what does not change. */
const keptShare = 0.7;

export class ChatContext {
  readonly #api: ModelApi;
  #entries: Entry[] = [];
  #tokens = 0;
  #takesImages: boolean;

  constructor(api: ModelApi, takesImages: boolean) {
    this.#api = api;
    this.#takesImages = takesImages;
  }

  get tokens(): number {
    return this.#tokens;
  }

  get hasImages(): boolean {
    return this.#takesImages && this.#entries.some(({ images }) => images > 0);
  }

  get written(): readonly WrittenMessage[] {
    return this.#entries.map(({ written }) => written);
  }

  add(message: ChatMessage): void {
    const entry = this.#write(message);
    this.#entries.push(entry);
    this.#tokens += entry.tokens;
  }

  /** The endpoint does not take pictures: they are named from now on. */
  dropImages(): void {
    this.#takesImages = false;
    this.#replaceAll(this.#entries.map((entry) => (entry.images > 0 ? this.#write(entry.message) : entry)));
  }

  /**
   * Leaves out what is oldest until it fits: first what tools answered, then whole turns. A call is never
   * parted from its answer, and the last turn's question and newest results stay. Returns what was left out,
   * in words for a person; undefined if nothing was.
   */
  trim(mostTokens: number): string | undefined {
    if (this.#tokens <= mostTokens) return undefined;
    const before = this.#tokens;
    const wanted = Math.floor(mostTokens * keptShare);
    const results = this.#dropResults(wanted);
    const turns = this.#tokens > wanted ? this.#dropTurns(wanted) : 0;
    if (results === 0 && turns === 0) return undefined;
    const parts = [
      ...(results > 0 ? [`${results} old tool ${results === 1 ? "result" : "results"}`] : []),
      ...(turns > 0 ? [`the ${turns === 1 ? "oldest turn" : `${turns} oldest turns`}`] : []),
    ];
    const saved = (before - this.#tokens).toLocaleString("en");
    return `To save room the model is no longer sent ${parts.join(" and ")} (about ${saved} tokens).`;
  }

  #dropResults(wanted: number): number {
    let dropped = 0;
    const newest = this.#entries.findLastIndex(({ message }) => message.role === "results");
    this.#replaceAll(
      this.#entries.map((entry, index) => {
        const { message } = entry;
        if (message.role !== "results" || index === newest || this.#tokens <= wanted) return entry;
        const shorter = this.#write(withoutContent(message));
        if (shorter.tokens >= entry.tokens) return entry;
        dropped += message.results.length;
        this.#tokens += shorter.tokens - entry.tokens;
        return shorter;
      }),
    );
    return dropped;
  }

  /** A turn begins with what a person says after the model has ended its own. */
  #dropTurns(wanted: number): number {
    const starts = this.#entries.flatMap(({ message }, index) => {
      const before = this.#entries[index - 1]?.message;
      const isStart = message.role === "user" && before?.role !== "user" && before?.role !== "results";
      return isStart ? [index] : [];
    });
    let turns = 0;
    let from = 0;
    let { tokens } = this;
    for (const next of starts.slice(1)) {
      if (tokens <= wanted) break;
      for (const entry of this.#entries.slice(from, next)) tokens -= entry.tokens;
      from = next;
      turns++;
    }
    if (turns > 0) {
      const note = this.#write({ role: "user", text: "[What was said before was left out to save room.]" });
      this.#replaceAll([note, ...this.#entries.slice(from)]);
    }
    return turns;
  }

  #replaceAll(entries: Entry[]): void {
    this.#entries = entries;
    this.#tokens = entries.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  #write(message: ChatMessage): Entry {
    const written = this.#api.write(message, this.#takesImages);
    const pictures =
      message.role === "results" && this.#takesImages
        ? message.results.flatMap(({ content }) => imagesOf(content))
        : [];
    const words = pictures.length === 0 ? written.json : this.#api.write(message, false).json;
    const tokens = estimateTokens(words) + pictures.length * tokensPerImage;
    return { message, written, tokens, images: pictures.length };
  }
}

function withoutContent({ role, results }: ResultsMessage): ResultsMessage {
  return { role, results: results.map((result) => ({ ...result, content: leftOut })) };
}

const leftOut: readonly Content[] = [
  { type: "text", text: "[This result was left out to save room. Call the tool again if it is needed.]" },
];
