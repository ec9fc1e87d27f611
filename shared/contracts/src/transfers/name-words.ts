import type { Text } from '../text.ts'
import type { NameState } from './name-outcomes.ts'

/** What an agency says of a name, on screens and in workbooks. */
export const nameStateWords: Record<NameState, Text> = {
  different: { en: 'Another name', fr: 'Autre nom' },
  not_found: { en: 'No active account', fr: 'Pas de compte actif' },
  near: { en: 'Nearly the same', fr: 'Presque le même' },
  not_told: { en: 'Name not told', fr: 'Nom inconnu' },
  match: { en: 'Same name', fr: 'Même nom' },
  unchecked: { en: 'Not checked', fr: 'Non vérifié' },
}
