import type { Endpoint } from '@portal/contracts/endpoint'
import type { Import, ImportKind } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import type { ReactNode } from 'react'

/** What is imported, by which call, and where it is listed. */
export type Importing = {
  kind: ImportKind
  /** The collection, if the kind is records of a module. */
  of?: { module: string; collection: string } | undefined
  /** The call that answers the sample, if it is not among those of the registers. */
  sample?: Endpoint | undefined
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
