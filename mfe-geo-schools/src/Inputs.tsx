import { Fragment, type ReactNode } from 'react'

type Props = {
  of: Readonly<Record<string, ReactNode>>
  /** Two beside each other, where there is room. */
  pair?: boolean
}

/** The inputs of a form, in the order in which they are given. */
export function Inputs({ of, pair = false }: Props) {
  const inputs = Object.entries(of).map(([name, input]) => <Fragment key={name}>{input}</Fragment>)
  return pair ? <div className="fields pair">{inputs}</div> : inputs
}
