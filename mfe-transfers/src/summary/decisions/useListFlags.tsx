import { Plural, Trans } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import type { CohortSummary, ListFlag, ListFlagKind } from '@portal/contracts/transfers/cohorts'
import { useHost, useQuery } from '@portal/sdk'
import type { Flag } from '@portal/ui/Notice'
import type { ReactNode } from 'react'

/** What is out of the ordinary on a list that waits for approval. */
function useListFlags(cohort: CohortSummary) {
  const { client } = useHost()
  const imported = cohort.import.state === 'imported'
  return useQuery({
    ...queryOf(client, transfers.flags, { params: { id: cohort.id } }),
    enabled: cohort.status === 'pending' && imported,
  })
}

const titles: Record<ListFlagKind, (count: number) => ReactNode> = {
  // There are two of them at least.
  girl_twice: (n) => <Plural value={n} other="# rows of girls who are on the list more than once" />,
  corrected: (n) => <Plural value={n} one="# cell changed in review" other="# cells changed in review" />,
  amount_parameter: (n) => (
    <Plural
      value={n}
      one="# amount beyond three times the parameter"
      other="# amounts beyond three times the parameter"
    />
  ),
  amount_spread: (n) => (
    <Plural value={n} one="# amount far above the others" other="# amounts far above the others" />
  ),
  number_changed: (n) => (
    <Plural
      value={n}
      one="# number changed since the last payment"
      other="# numbers changed since the last payment"
    />
  ),
  number_range: (n) => (
    <Plural value={n} one="# number of an unusual range" other="# numbers of unusual ranges" />
  ),
  name_unlike: (n) => (
    <Plural value={n} one="# name unlike the guardian’s" other="# names unlike the guardians’" />
  ),
  silent_school: (n) => (
    <Plural
      value={n}
      one="# girl in a school that reported no attendance"
      other="# girls in schools that reported no attendance"
    />
  ),
}

/** The title of a flag, with its number of rows. */
export const flagTitle = ({ kind, count }: ListFlag): ReactNode => titles[kind](count)

/** Flags as lists of things to check show them, and whether they are still on their way. */
export function useFlagsToCheck(cohort: CohortSummary, onSee: (flag: ListFlag) => void) {
  const { data, error, isLoading, refetch } = useListFlags(cohort)
  const link = (words: ReactNode, onClick: () => void) => (
    <button type="button" className="link-button" onClick={onClick}>
      {words}
    </button>
  )
  const flags = (data?.flags ?? []).map(
    (flag): Flag => ({
      key: flag.kind,
      tone: 'waiting',
      title: flagTitle(flag),
      action: link(<Trans>See rows</Trans>, () => onSee(flag)),
    }),
  )
  if (error) {
    flags.push({
      key: 'unread',
      tone: 'bad',
      title: <Trans>What is out of the ordinary could not be read</Trans>,
      action: link(<Trans>Try again</Trans>, () => void refetch()),
    })
  }
  return { flags, loading: isLoading }
}
