import type { NameState } from '@portal/contracts/transfers/name-outcomes'
import { nameStateWords } from '@portal/contracts/transfers/name-words'
import { currentLocale } from '@portal/i18n/locale'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

const tones: Record<NameState, Tone> = {
  different: 'bad',
  not_found: 'bad',
  near: 'waiting',
  not_told: 'neutral',
  match: 'good',
  unchecked: 'neutral',
}

/** What the agency says of a name. */
export const NamePill = ({ state }: { state: NameState }) => (
  <StatusPill tone={tones[state]}>{nameStateWords[state][currentLocale()]}</StatusPill>
)
