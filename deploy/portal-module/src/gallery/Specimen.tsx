import { Card } from '@portal/ui/Card'
import type { ReactNode } from 'react'

type Props = { title: ReactNode; code: string; children: ReactNode }

/** One piece as it stands in a page, and the line that draws it. */
export function Specimen({ title, code, children }: Props) {
  return (
    <figure className="specimen">
      <figcaption>{title}</figcaption>
      <div className="piece">{children}</div>
      <code translate="no">{code}</code>
    </figure>
  )
}

/** Pieces of one kind. */
export const Shelf = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card title={title}>
    <div className="shelf">{children}</div>
  </Card>
)
