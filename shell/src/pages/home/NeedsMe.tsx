import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { home, type Waiting } from '@portal/contracts/home'
import { currentLocale } from '@portal/i18n/locale'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { useSession } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { type Flag, Flags } from '@portal/ui/Notice'
import { StatusPill } from '@portal/ui/StatusPill'
import { Failed, type Failure } from '@portal/ui/Table'
import type { ReactNode } from 'react'
import { linkTo } from '../../platform/announced.ts'
import { renderLink } from '../../platform/links.tsx'
import { registry } from '../../platform/live-registry.ts'

/** The permissions of people whom the portal may ask to act: to upload lists, file cases, decide on them or admit builds. */
const acts = /^(cohorts\.create|modules\.manage|cases\.(create|manage)|\w+\.import)$/

type Needs = { data: Waiting | undefined; failure: Failure | null }

/**
 * What waits for this person, refreshed with the figures; `asked` for whoever may act. `settled` as soon as it is known,
 * has failed, or the page has `waited` long enough.
 */
export function useNeeds(every: number, waited: boolean): Needs & { asked: boolean; settled: boolean } {
  const { permissions } = useSession()
  const asked = permissions.some((name) => acts.test(name))
  const { data, error, refetch } = usePoll(home.waiting, { every, enabled: asked })
  const failure = error && !data ? failureOf(asProblem(error), refetch) : null
  return { asked, data, failure, settled: !asked || waited || Boolean(data || failure) }
}

/** Each thing that waits for this person, with its number and the way to it; null until it may be drawn. */
export function NeedsMe({ needs }: { needs: Needs | null }) {
  const { t } = useLingui()
  const { data, failure } = needs ?? {}
  const flags = data ? flagsOf(data) : []
  return (
    <Card title={t`What needs you`} className="needs-me">
      {failure && <Failed {...failure} />}
      {!data && !failure && (
        <div className="card-body" aria-busy="true">
          <Skeleton width="46%" />
        </div>
      )}
      {data && flags.length === 0 && (
        <p className="card-body">
          <Trans>Nothing waits in your own lists, cohorts and cases.</Trans>
        </p>
      )}
      {flags.length > 0 && <Flags flags={flags} />}
    </Card>
  )
}

function flagsOf({ imports, cohorts, cases, builds }: Waiting): Flag[] {
  const flags: Flag[] = []
  if (imports.oldest)
    flags.push({
      key: 'imports',
      tone: 'waiting',
      title: to(
        imports.oldest.link,
        <Plural value={imports.count} one="# list to check" other="# lists to check" />,
      ),
      text: <ImportNote imports={imports} file={imports.oldest.file_name} />,
    })
  if (cohorts.rejected > 0)
    flags.push({
      key: 'rejected',
      tone: 'bad',
      title: to(
        linkTo(registry, 'list.cohorts-rejected'),
        <Plural value={cohorts.rejected} one="# cohort rejected" other="# cohorts rejected" />,
      ),
      text: <Trans>Correct the list and upload it again.</Trans>,
    })
  if (cohorts.error > 0)
    flags.push({
      key: 'error',
      tone: 'bad',
      title: to(
        linkTo(registry, 'list.cohorts-error'),
        <Plural value={cohorts.error} one="# cohort in payment error" other="# cohorts in payment error" />,
      ),
      text: <Trans>Its payments have stopped until an approver retries it.</Trans>,
    })
  if (cases.due > 0)
    flags.push({
      key: 'cases',
      tone: cases.overdue > 0 ? 'bad' : 'info',
      icon: 'folder',
      title: to(
        linkTo(registry, 'list.cases-due'),
        <Plural value={cases.due} one="# case due within a week" other="# cases due within a week" />,
      ),
      text: <Trans>Cases that you filed or review.</Trans>,
      ...(cases.overdue > 0 && { action: <Overdue count={cases.overdue} /> }),
    })
  if (builds.oldest)
    flags.push({
      key: 'builds',
      tone: 'waiting',
      title: to(
        builds.oldest.link,
        <Plural value={builds.count} one="# module to admit" other="# modules to admit" />,
      ),
      text: <BuildNote oldest={builds.oldest} />,
    })
  return flags
}

/** A line leads nowhere while its module does not run. */
const to = (href: string | null | undefined, children: ReactNode) =>
  href ? renderLink({ href, children }) : children

function ImportNote({ imports, file }: { imports: Waiting['imports']; file: string }) {
  const { rows_rejected: rows } = imports
  if (rows === 0) return <Trans>Ready to be confirmed, the oldest: {file}</Trans>
  return (
    <Trans>
      <Plural value={rows} one="# row to correct" other="# rows to correct" />, the oldest: {file}
    </Trans>
  )
}

function BuildNote({ oldest }: { oldest: NonNullable<Waiting['builds']['oldest']> }) {
  const title = oldest.title[currentLocale()]
  return (
    <Trans>
      Partners cannot make a version live before it was admitted. The oldest: {title} {oldest.version}
    </Trans>
  )
}

const Overdue = ({ count }: { count: number }) => (
  <StatusPill tone="bad" icon="clock">
    <Plural value={count} one="# overdue" other="# overdue" />
  </StatusPill>
)
