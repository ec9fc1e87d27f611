import { statementStateWords } from '@portal/contracts/transfers/statement-words'
import type { StatementState } from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

const tones: Record<StatementState, Tone> = {
  queued: 'info',
  reading: 'info',
  open: 'waiting',
  closed: 'good',
  withdrawn: 'neutral',
  failed: 'bad',
}

/** Where a statement stands. */
export const StatementPill = ({ state }: { state: StatementState }) => (
  <StatusPill tone={tones[state]}>{statementStateWords[state][currentLocale()]}</StatusPill>
)
