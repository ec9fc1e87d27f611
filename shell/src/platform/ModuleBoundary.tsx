import { Component, type ReactNode } from 'react'
import { newReference } from './failures.ts'

type Props = {
  /** Changes with the place: a fault on one page must not follow to the next. */
  place: string
  fallback: (retry: () => void, reference: string) => ReactNode
  onFault?: (fault: Error, reference: string) => void
  children: ReactNode
}
type State = { reference: string | null; place: string }

/** Keeps a fault of a module's page inside its own place; navigation stays alive around it. */
export class ModuleBoundary extends Component<Props, State> {
  override state: State = { reference: null, place: this.props.place }

  static getDerivedStateFromError() {
    return { reference: newReference() }
  }

  static getDerivedStateFromProps(props: Props, state: State) {
    return props.place === state.place ? null : { reference: null, place: props.place }
  }

  override componentDidCatch(fault: unknown) {
    const { reference } = this.state
    if (reference) this.props.onFault?.(fault instanceof Error ? fault : new Error(String(fault)), reference)
  }

  override render() {
    const { reference } = this.state
    return reference
      ? this.props.fallback(() => this.setState({ reference: null }), reference)
      : this.props.children
  }
}
