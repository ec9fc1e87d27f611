import type { Fields } from '@portal/contracts/field'
import { fieldWords } from '@portal/screens/fieldWords'
import { useOptions } from './useOptions.tsx'

/** What the contract says of a noun's fields, with the words of the portal's own lists. */
export const useFields = <F extends Fields>(fields: F) => fieldWords(fields, useOptions())
