import { useLingui } from '@lingui/react/macro'
import type { ImportState } from '@portal/contracts/imports'
import type { IconName } from '@portal/ui/Icon'
import { StatusPill, type Tone } from '@portal/ui/StatusPill'

const looks: Record<ImportState, { tone: Tone; icon?: IconName }> = {
  queued: { tone: 'neutral' },
  reading: { tone: 'info', icon: 'spin' },
  review: { tone: 'waiting' },
  importing: { tone: 'info', icon: 'spin' },
  imported: { tone: 'good' },
  failed: { tone: 'bad' },
  cancelled: { tone: 'neutral', icon: 'x' },
}

/** Where an import stands. */
export function ImportPill({ state }: { state: ImportState }) {
  const { t } = useLingui()
  const words: Record<ImportState, string> = {
    queued: t({ context: 'an import', message: 'Waiting' }),
    reading: t({ context: 'an import', message: 'Reading' }),
    review: t({ context: 'an import', message: 'To be confirmed' }),
    importing: t({ context: 'an import', message: 'Being saved' }),
    imported: t({ context: 'an import', message: 'Imported' }),
    failed: t({ context: 'an import', message: 'Failed' }),
    cancelled: t({ context: 'an import', message: 'Cancelled' }),
  }
  return (
    <StatusPill tone={looks[state].tone} icon={looks[state].icon}>
      {words[state]}
    </StatusPill>
  )
}
