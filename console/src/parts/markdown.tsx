/** Markdown of an assistant's message, by marked's lexer into React nodes: no HTML, no images, links that show where they lead. */
import type { Token, Tokens } from "marked";
import { Fragment, memo, type ReactNode, useMemo } from "react";
import { readMarkdown } from "./read-markdown.ts";
import { Shown } from "./shown.tsx";

export interface MarkdownProps {
  readonly text: string;
  /** It is still being written. */
  readonly isGrowing?: boolean;
}

export const Markdown = memo(function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const blocks = useMemo(() => readMarkdown(text, isGrowing), [text, isGrowing]);
  if (blocks === undefined)
    return (
      <pre className="code">
        <Shown text={text} limit={20_000} />
      </pre>
    );
  return <div className="markdown">{nodes(blocks)}</div>;
});

/** What is written is known by its order. */
function nodes(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{node(token as Tokens.Generic)}</Fragment>);
}

function node(token: Tokens.Generic): ReactNode {
  const inner = () =>
    token.tokens === undefined ? <Shown text={token.text ?? token.raw} /> : nodes(token.tokens);
  switch (token.type) {
    case "space":
      return null;
    case "paragraph":
      return <p>{inner()}</p>;
    case "heading":
      // The page has its own headings; those of a message are only loud.
      return <p className="strong">{inner()}</p>;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return (
        <code>
          <Shown text={token.text} />
        </code>
      );
    case "code":
      return (
        <pre className="code">
          <Shown text={token.text} limit={20_000} />
        </pre>
      );
    case "blockquote":
      return <blockquote>{inner()}</blockquote>;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "list": {
      const List = token.ordered === true ? "ol" : "ul";
      return (
        <List>
          {(token.items as Tokens.ListItem[]).map((item, index) => (
            <li key={index}>{nodes(item.tokens)}</li>
          ))}
        </List>
      );
    }
    case "link":
      return <SafeLink href={token.href}>{inner()}</SafeLink>;
    case "image":
      return (
        <span className="quiet">
          [picture: <Shown text={token.text} />]
        </span>
      );
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "text":
      return inner();
    case "escape":
      return <Shown text={token.text} />;
    default:
      // HTML, and whatever else there may be, as the text that it is.
      return <Shown text={token.raw} />;
  }
}

function SafeLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const address = URL.parse(href);
  if (address === null || (address.protocol !== "https:" && address.protocol !== "http:"))
    return <>{children}</>;
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>{" "}
      <span className="host">({address.host})</span>
    </>
  );
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <div className="wide">
      <table className="table">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index}>{nodes(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{nodes(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
