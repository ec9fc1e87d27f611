import { imports } from '@portal/contracts/imports'
import { transfers } from '@portal/contracts/transfers'

/** What an upload and its end change on screen. */
export const touchedByImport = [transfers.cohorts, transfers.settings, imports.list]
