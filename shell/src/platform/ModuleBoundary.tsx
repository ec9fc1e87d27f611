import { Component, type ReactNode } from 'react'

type Props = {
  /** Changes with the place: a fault on one page must not follow to the next. */
  place: string
  fallback: (retry: () => void, fault: Error) => ReactNode
  children: ReactNode
}

/** Keeps a fault of a module's page inside its own place; navigation stays alive around it. */
export class ModuleBoundary extends Component<Props, { fault: Error | null; place: string }> {
  override state = { fault: null as Error | null, place: this.props.place }

  static getDerivedStateFromError(fault: Error) {
    return { fault }
  }

  static getDerivedStateFromProps(props: Props, state: { place: string }) {
    return props.place === state.place ? null : { fault: null, place: props.place }
  }

  override render() {
    const { fault } = this.state
    return fault ? this.props.fallback(() => this.setState({ fault: null }), fault) : this.props.children
  }
}
