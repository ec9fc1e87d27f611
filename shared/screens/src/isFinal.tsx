import type { ImportState } from '@portal/contracts/imports'

const finals: readonly ImportState[] = ['imported', 'failed', 'cancelled']

/** Whether nothing more happens to an import. */
export const isFinal = (state: ImportState): boolean => finals.includes(state)
