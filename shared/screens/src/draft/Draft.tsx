import { Trans } from '@lingui/react/macro'
import { formatDateTime, formatTime, today } from '@portal/i18n/format'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import type { LongForm } from './draft-of.ts'
import { useDraft } from './useDraft.tsx'
import './words.ts'

/** Keeps a long form, and says so when it was put back. */
export function Draft({ form }: { form: LongForm }) {
  const { notice, discard, undo } = useDraft(form)
  if (!notice) return null
  const [text, button] =
    'at' in notice
      ? [
          <Trans key="text">We kept what you typed at {when(notice.at)}.</Trans>,
          <Button key="button" small onClick={discard}>
            <Trans>Discard</Trans>
          </Button>,
        ]
      : [
          <Trans key="text">What you had typed is discarded.</Trans>,
          <Button key="button" small onClick={() => undo(notice.discarded)}>
            <Trans>Undo</Trans>
          </Button>,
        ]
  return (
    <div role="status">
      <Notice icon="clock" actions={button}>
        {text}
      </Notice>
    </div>
  )
}

/** The hour, with its day where that is another one. */
const when = (at: string) => (at.slice(0, 10) === today() ? formatTime(at) : formatDateTime(at))
