import { Plural, useLingui } from '@lingui/react/macro'
import { type Import, imports } from '@portal/contracts/imports'
import { Skeleton } from '@portal/ui/Blank'
import { Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { type ReactNode, useEffect, useRef } from 'react'
import { ImportFigures } from './ImportFigures.tsx'
import { isFinal } from './isFinal.tsx'
import { failureOf } from './problemText.tsx'
import { RejectedRows } from './RejectedRows.tsx'
import { usePoll } from './usePoll.tsx'

type Props = {
  id: number
  /** When it ends, once; also if it had ended already. */
  onEnd?: (ended: Import) => void
  /** What to do next, once everything is in. */
  next?: ReactNode
}

/** An import watched every second until it ends: how many records are in, what was rejected and why. */
export function ImportProgress({ id, onEnd, next }: Props) {
  const { t } = useLingui()
  const poll = usePoll(
    imports.read,
    { every: 1000, until: (answer) => isFinal(answer.import.state) },
    { params: { id } },
  )
  const found = poll.data?.import
  const ended = found && isFinal(found.state) ? found : undefined
  const announced = useRef(false)
  useEffect(() => {
    if (!ended || announced.current) return
    announced.current = true
    onEnd?.(ended)
  }, [ended, onEnd])
  if (!found) {
    const failure = failureOf(poll.error, poll.refetch)
    return failure ? <Failed {...failure} /> : <Skeleton width="60%" height={20} />
  }
  return (
    <>
      <ImportFigures found={found} />
      {found.state === 'failed' && (
        <Notice tone="bad" alert title={t`Nothing was imported.`}>
          {found.problem}
        </Notice>
      )}
      {found.state === 'cancelled' && <Notice tone="waiting">{t`Nothing was imported.`}</Notice>}
      {found.state === 'imported' && (
        <Notice tone="good" actions={next}>
          <Plural value={found.rows_imported} one="# record was imported." other="# records were imported." />
        </Notice>
      )}
      {found.rows_rejected > 0 && <RejectedRows found={found} />}
    </>
  )
}
