import type { AnswerOf, Endpoint } from '@portal/contracts/endpoint'
import type { Import, ImportKind } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/sheet'
import { lazy } from '@portal/screens/lazy'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { NewImport } from './NewImport.tsx'
import './words.ts'

const OpenImport = lazy(() => import('./OpenImport.tsx'), 'OpenImport')

/** What is imported, by which call, and where it is listed. */
export type Importing = {
  kind: ImportKind
  sheet: Sheet
  /** "Import parents". */
  title: string
  /** The list that the rows go to. */
  back: { to: string; label: string }
  /** Fetched again when an import has ended. */
  refetches: readonly Endpoint[]
  /** The way on once it is imported; the list where nothing else is named. */
  next?: (found: Import) => ReactNode
}

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
