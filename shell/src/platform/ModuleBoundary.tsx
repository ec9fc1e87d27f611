import { Component, type ReactNode } from 'react'
import { newReference } from './failures.ts'

type Props = {
  /** Changes with the address, which resets the boundary: an error on one page must not stay on the next. */
  place: string
  fallback: (retry: () => void, reference: string) => ReactNode
  onFault?: (fault: Error, reference: string) => void
  children: ReactNode
}
type State = { reference: string | null; place: string }

/** The error boundary of a module's page; navigation around it keeps working. */
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
