/** What cannot be drawn says so in its own place: a text that breaks one part must not take the page away from a person. */
import { Component, type ReactNode } from "react";
import { Failure } from "./states.tsx";

interface GuardProps {
  readonly children: ReactNode;
}

interface GuardState {
  readonly broken: string | undefined;
}

export class Guard extends Component<GuardProps, GuardState> {
  static getDerivedStateFromError(error: unknown): GuardState {
    return { broken: error instanceof Error ? error.message : String(error) };
  }

  override state: GuardState = { broken: undefined };

  /** Something else may be there to be shown. */
  override componentDidUpdate(before: GuardProps): void {
    if (before.children !== this.props.children && this.state.broken !== undefined) this.tryAgain();
  }

  readonly tryAgain = (): void => this.setState({ broken: undefined });

  override render(): ReactNode {
    const { broken } = this.state;
    if (broken === undefined) return this.props.children;
    return <Failure error={new Error(`This cannot be shown: ${broken}`)} retry={this.tryAgain} />;
  }
}
