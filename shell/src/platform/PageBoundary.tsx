import { Component, type ReactNode } from 'react'

type Props = {
  /** Changes with the place. */
  place: string
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}
type State = { fault: boolean; place: string }

/**
 * The error boundary around all pages. A page that throws while it is unmounted does so outside of its own boundary. The next
 * page is then rendered once more; only a second error is shown.
 */
export class PageBoundary extends Component<Props, State> {
  override state: State = { fault: false, place: this.props.place }
  private forgiven = ''

  static getDerivedStateFromError() {
    return { fault: true }
  }

  static getDerivedStateFromProps(props: Props, state: State) {
    return props.place === state.place ? null : { fault: false, place: props.place }
  }

  override componentDidCatch() {
    const { place } = this.props
    if (this.forgiven === place) return
    this.forgiven = place
    this.setState({ fault: false })
  }

  override render() {
    if (!this.state.fault) return this.props.children
    return this.forgiven === this.props.place
      ? this.props.fallback(() => this.setState({ fault: false }))
      : null
  }
}
