import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../ui/notice.tsx';

interface Props {
  readonly children: ReactNode;
}

/** A screen that fails says so; the rest of the page goes on. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="empty">
        <ErrorNotice error={this.state.error} />
      </div>
    );
  }
}
