import { Trans, useLingui } from '@lingui/react/macro'
import { invalidate, queryOf } from '@portal/client/query'
import { type Import, imports } from '@portal/contracts/imports'
import { isFinal } from '@portal/screens/isFinal'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { usePoll } from '@portal/screens/usePoll'
import { useHost, useQueryClient } from '@portal/sdk'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { useEffect, useRef } from 'react'
import { EndedImport } from './EndedImport.tsx'
import { ImportLine } from './ImportLine.tsx'
import type { Importing } from './importing.ts'
import { Review } from './Review.tsx'
import { RowCategories } from './RowCategories.tsx'
import { RunningImport } from './RunningImport.tsx'
import { type Step, Steps } from './Steps.tsx'
import { useImportAddress } from './useImportAddress.tsx'

const steps: Record<Import['state'], Step> = {
  queued: 3,
  reading: 3,
  review: 3,
  importing: 4,
  imported: 5,
  failed: 4,
  cancelled: 4,
}

/** One import from the moment its file was sent: watched, reviewed, confirmed, and read again later. */
export function OpenImport({ id, kind, sheet, title, back, refetches, next }: Importing & { id: number }) {
  const { t } = useLingui()
  const { client } = useHost()
  const queries = useQueryClient()
  const { href } = useImportAddress()
  useLanguageRefetch(imports.read, imports.rows, imports.groups)
  const poll = usePoll(
    imports.read,
    { every: 1000, until: ({ import: { state } }) => isFinal(state) || state === 'review' },
    { params: { id } },
  )
  const found = poll.data?.import
  useEnd(found, () => refetchTwice(queries, [...refetches, imports.list]))
  const texts: Partial<Record<Import['state'], string>> = {
    review: t`Check the rows before they are saved. Nothing has been saved yet.`,
    imported: t`The rows have been saved.`,
    failed: t`Nothing has been saved.`,
    cancelled: t`Nothing has been saved.`,
  }
  const show = (answer: Import) => {
    queries.setQueryData(queryOf(client, imports.read, { params: { id } }).queryKey, { import: answer })
    void invalidate(queries, imports.rows, imports.groups, imports.list)
  }
  return (
    <ListPage
      title={title}
      description={
        (found && texts[found.state]) ??
        t`You can leave this page: the import goes on, and this address shows it.`
      }
      back={back}
      actions={found && <Steps at={steps[found.state]} />}
    >
      {!found ? (
        <Card padded>
          {poll.error ? (
            <Failed {...(failureOf(poll.error, poll.refetch) ?? { title: '', onRetry: () => undefined })} />
          ) : (
            <Skeleton width="60%" height={96} />
          )}
        </Card>
      ) : found.kind !== kind ? (
        <Card padded>
          <Blank title={<Trans>This import belongs to another list</Trans>} />
        </Card>
      ) : (
        <>
          <ImportLine found={found} sheet={sheet} />
          <NotReadAgain problem={poll.error} onRetry={poll.refetch} />
          {found.state === 'review' ? (
            <Review found={found} sheet={sheet} onAnswer={show} onStale={() => void poll.refetch()} />
          ) : isFinal(found.state) ? (
            <EndedImport found={found} />
          ) : (
            <RunningImport found={found} onEnd={() => void poll.refetch()} />
          )}
          {isFinal(found.state) && (
            <div className="actions">
              <ButtonLink href={href({})} icon="upload" renderLink={pageLink}>
                <Trans>Import another file</Trans>
              </ButtonLink>
              {(found.state === 'imported' && next?.(found)) || (
                <ButtonLink href={back.to} variant="primary" renderLink={pageLink}>
                  {back.label}
                </ButtonLink>
              )}
            </div>
          )}
          {found.state === 'imported' && <RowCategories found={found} sheet={sheet} />}
        </>
      )}
    </ListPage>
  )
}

/** Once, when an import that was running here has ended. */
function useEnd(found: Import | undefined, onEnd: () => void) {
  const ran = useRef(false)
  const ended = found && isFinal(found.state)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end itself is what counts
  useEffect(() => {
    if (!found) return
    if (!ended) ran.current = true
    else if (ran.current) {
      ran.current = false
      onEnd()
    }
  }, [found, ended])
}
