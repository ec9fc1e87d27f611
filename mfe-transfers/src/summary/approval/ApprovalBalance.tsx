import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { agencyBalance } from '@portal/contracts/transfers/agency-balance'
import type { CohortSummary } from '@portal/contracts/transfers/cohorts'
import { moneyText } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** Asks the agency for its balance when the approver wants it, and warns of what is missing for the round and those before it. */
export function ApprovalBalance({ cohort: { id } }: { cohort: CohortSummary }) {
  const { t } = useLingui()
  const { client } = useHost()
  const read = useQuery({
    ...queryOf(client, agencyBalance.ask, { params: { id } }),
    enabled: false,
    staleTime: 0,
  })
  const found = read.isFetching ? undefined : read.data
  const [balance, needed, missing, others, left] = [
    found?.balance ?? 0,
    found?.needed ?? 0,
    found?.missing ?? 0,
    found?.others ?? 0,
    found?.left ?? 0,
  ].map(moneyText)
  const agency = found?.agency
  const otherLists = found?.other_lists ?? 0
  const needs =
    otherLists === 0 ? (
      <Trans>
        {agency} has {balance}. The round needs {needed}.
      </Trans>
    ) : (
      <Trans>
        {agency} has {balance}. Until this round,{' '}
        <Plural value={otherLists} one="# other approved list" other="# other approved lists" />: {others}.
        The round needs {needed}.
      </Trans>
    )
  return (
    <section className="stack close" aria-label={t`Balance of the agency`} aria-live="polite">
      {read.error && !read.isFetching && (
        <Notice tone="bad" title={t`The agency could not be asked.`}>
          {problemText(read.error)}
        </Notice>
      )}
      {found?.unknown && <Notice title={agency}>{found.unknown}</Notice>}
      {found && found.left !== null && (
        <Notice tone="good" title={t`The balance is enough.`}>
          {needs} <Trans>{left} are left then.</Trans>
        </Notice>
      )}
      {found && found.missing > 0 && (
        <Notice tone="waiting" title={t`${missing} are missing.`}>
          {needs}{' '}
          <Trans>
            Payments stop when the account is empty; it can be filled before or after the approval.
          </Trans>
        </Notice>
      )}
      <div>
        <Button busy={read.isFetching} onClick={() => void read.refetch()}>
          <Trans>Ask the agency for its balance</Trans>
        </Button>
      </div>
    </section>
  )
}
