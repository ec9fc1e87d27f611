import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import { lazy } from '@portal/screens/lazy'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Importing } from './importing.ts'
import { NewImport } from './NewImport.tsx'
import './words.ts'
import './workbench.css'

const OpenImport = lazy(() => import('./OpenImport.tsx'), 'OpenImport')

type Props<E extends Endpoint> = Importing & {
  /** `sheet.field` is its only field. */
  endpoint: E & (AnswerOf<E> extends { import: { id: number } } ? unknown : never)
  /** Stands in place of the choice of a file where more than a file is asked for. */
  begin?: ReactNode
}

/**
 * The Excel workbench, one for all imports: a file is chosen and looked at here, its rows are reviewed under
 * `?import=ID`, and only what was reviewed is written. Leaving the page stops nothing.
 */
export function Workbench<E extends Endpoint>({ endpoint, begin, ...importing }: Props<E>) {
  const [url] = useSearchParams()
  const id = Number(url.get('import'))
  if (Number.isSafeInteger(id) && id > 0) return <OpenImport key={id} id={id} {...importing} />
  return begin ?? <NewImport endpoint={endpoint} {...importing} />
}
