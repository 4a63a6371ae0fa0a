/** What a model gets of an HTTP answer: its text, JSON also as data, of a failure its status and start. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { isRecord } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";
import { kindOfFile } from "../../../safe/files/file-kind.ts";
import { essence, mediaKind } from "../../../safe/net/media-type.ts";
import type { FetchAnswer } from "../../../safe/net/safe-fetch.ts";
import { createKnownSecrets } from "../../../safe/redact/known-secrets.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";

/** Of the body of a failure. */
const maxErrorCharacters = 2_000;

export function toHttpResult(answer: FetchAnswer, secrets: readonly string[]): ToolResult {
  const { status, body, headers } = answer;
  const type = visible(essence(headers["content-type"]), { maxLength: 100 });
  const host = new URL(answer.url).host;
  const good = status >= 200 && status < 300;
  const isText =
    mediaKind(headers["content-type"]) !== "binary" && kindOfFile(Buffer.from(body)).kind === "text";
  if (good && body.length > 0 && !isText) {
    const message = `${host} answered ${body.length} bytes of the type ${type === "" ? "that it did not name" : type}, which is not text.`;
    return failed({ code: "not_text", message });
  }
  const text = isText ? withoutSecrets(answer.text(), secrets) : "";
  if (!good) {
    const start = text.length > maxErrorCharacters ? `${text.slice(0, maxErrorCharacters)}…` : text;
    const said = start.trim() === "" ? "" : `\n${start}`;
    return answered(`${host} answered HTTP ${status}.${said}`, { code: "http_status", status }, true);
  }
  if (text.trim() === "") return answered(`(HTTP ${status}, no content)`, { status });
  const data = mediaKind(headers["content-type"]) === "json" ? parseJson(text) : undefined;
  return answered(text, data?.ok === true ? asObject(data.value) : undefined);
}

/** A server that repeats the request (as many do for errors) would otherwise hand the key to the model. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return createKnownSecrets(secrets)(text, () => "[redacted:known-secret]");
}

/** Structured content is an object for every MCP client. */
function asObject(value: unknown): object {
  return isRecord(value) ? value : { value };
}
