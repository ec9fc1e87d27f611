import { Card } from '@portal/ui/Card'
import type { ReactNode } from 'react'
import { Stage, type StageProps } from './Stage.tsx'

type Props = StageProps & { title: ReactNode; code: string; children: ReactNode }

/** One component as it looks in a page, and the code that draws it. */
export function Specimen({ title, code, children, ...stage }: Props) {
  return (
    <figure className="specimen">
      <figcaption>{title}</figcaption>
      <div className="piece">
        <Stage {...stage}>{children}</Stage>
      </div>
      <code translate="no">{code}</code>
    </figure>
  )
}

/** A card with components of one kind. */
export const Shelf = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card title={title}>
    <div className="shelf">{children}</div>
  </Card>
)
