import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { SystemStatus } from '@portal/contracts/home/system'
import { formatBytes, formatDateTime, formatNumber } from '@portal/i18n/format'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { StatusPill } from '@portal/ui/StatusPill'
import type { ReactNode } from 'react'
import { ageText, isLate, queueText } from './words.ts'

type Fact = { key: string; label: ReactNode; value: ReactNode; note?: ReactNode }

/** Facts of a card; grey lines until they are known, and a sentence if there are none. */
function Facts({ facts, none }: { facts: Fact[] | undefined; none: ReactNode }) {
  if (!facts)
    return (
      <div className="card-body" aria-busy="true">
        <Skeleton width="60%" height={96} />
      </div>
    )
  return facts.length > 0 ? <Sheet facts={facts} /> : <p className="card-body muted">{none}</p>
}

/** A state in two words, so that it fits a phone; what it means is the note below it. */
function State({ good }: { good: boolean }) {
  return (
    <StatusPill tone={good ? 'good' : 'bad'}>
      {good ? <Trans>In order</Trans> : <Trans>To check</Trans>}
    </StatusPill>
  )
}

/** Jobs that wait, by kind, and letters that no mail server took. */
export function Queues({ status }: { status: SystemStatus | undefined }) {
  const { t } = useLingui()
  const facts = status?.queues.map(({ name, due, oldest, failed }) => ({
    key: name,
    label: queueText(name),
    value: <State good={!isLate(oldest) && failed === 0} />,
    note:
      failed > 0
        ? t`Failed within a day: ${formatNumber(failed)}`
        : due === 0
          ? t`Nothing waits`
          : t`${formatNumber(due)} waiting, the oldest for ${ageText(oldest ?? 0)}`,
  }))
  const { waiting, failed: lost } = status?.letters ?? { waiting: 0, failed: 0 }
  if (waiting + lost > 0)
    facts?.push({
      key: 'letters',
      label: t`Letters not sent`,
      value: <State good={false} />,
      note: t`Tried again: ${formatNumber(waiting)}. Given up: ${formatNumber(lost)}.`,
    })
  return (
    <Card
      title={<Trans>Work that waits</Trans>}
      text={
        <Trans>
          A worker takes it within seconds. Older work means that no worker runs, or that it fails.
        </Trans>
      }
    >
      <Facts facts={facts} none={<Trans>There are no queues yet.</Trans>} />
    </Card>
  )
}

type AgenciesProps = { agencies: SystemStatus['agencies'] | undefined; held: boolean | undefined }

/** Agencies with what is open at each. */
export function Agencies({ agencies, held }: AgenciesProps) {
  const { t } = useLingui()
  const facts = agencies?.map(({ id, name, open, unknown, stalled }) => ({
    key: String(id),
    label: name,
    value: <State good={!stalled} />,
    note: (
      <>
        {stalled ? t`No answer` : t`Payments to make: ${formatNumber(open)}`}
        {unknown > 0 && <div>{t`Outcome not known: ${formatNumber(unknown)}`}</div>}
      </>
    ),
  }))
  return (
    <Card
      title={<Trans>Transfer agencies</Trans>}
      text={
        held && (
          <Trans>
            Nothing is sent: sending is held until an approver releases it on the pages of transfers.
          </Trans>
        )
      }
    >
      <Facts facts={facts} none={<Trans>No agency is active.</Trans>} />
    </Card>
  )
}

/** The latest failures of jobs. */
export function Failures({ errors }: { errors: SystemStatus['errors'] | undefined }) {
  const facts = errors?.map(({ queue, at, message }, n) => ({
    key: `${at} ${n}`,
    label: queueText(queue),
    value: <span style={{ overflowWrap: 'anywhere' }}>{message}</span>,
    note: `${formatDateTime(at)} UTC`,
  }))
  return (
    <Card
      title={<Trans>Latest failures</Trans>}
      text={
        <Trans>
          Failures of the last week, as the log has them. Work that failed is tried again 20 times, a letter
          for two days.
        </Trans>
      }
    >
      <Facts facts={facts} none={<Trans>Nothing has failed.</Trans>} />
    </Card>
  )
}

/** What the latest check of the ledger says, in one sentence. */
function useLedgerNote(ledger: SystemStatus['ledger'] | undefined): string {
  const { t } = useLingui()
  if (!ledger) return t`Never checked`
  const when = formatDateTime(ledger.at)
  if (ledger.differences > 0)
    return plural(ledger.differences, {
      one: `# difference, found at ${when} UTC`,
      other: `# differences, found at ${when} UTC`,
    })
  if (ledger.late) return t`Not checked since ${when} UTC`
  return t`Agreed at ${when} UTC: ${formatNumber(ledger.payments)} payments and ${formatNumber(ledger.events)} events`
}

/** What the latest backup says of itself, in one sentence. */
function useBackupNote(backup: SystemStatus['backup'] | undefined): string {
  const { t } = useLingui()
  if (!backup) return t`None was made, or it does not tell the portal`
  const when = formatDateTime(backup.at)
  if (backup.late) return t`None since ${when} UTC`
  return t`Made at ${when} UTC by ${backup.maker}: ${formatBytes(backup.bytes)}`
}

/** Whether people were erased whom two others decided to erase, in one sentence. */
function useErasuresNote({ open, overdue }: SystemStatus['erasures']): string {
  const { t } = useLingui()
  if (overdue > 0)
    return plural(overdue, {
      one: '# approved erasure was not carried out for more than two days',
      other: '# approved erasures were not carried out for more than two days',
    })
  if (open === 0) return t`Nobody waits`
  return plural(open, { one: '# is carried out in the night', other: '# are carried out in the night' })
}

/** Where files are, the audit log, the ledger, the backup and erasures. */
export function Files({ status }: { status: SystemStatus | undefined }) {
  const { t } = useLingui()
  const ledgerNote = useLedgerNote(status?.ledger)
  const backupNote = useBackupNote(status?.backup)
  const erasuresNote = useErasuresNote(status?.erasures ?? { open: 0, overdue: 0 })
  const facts = status && [
    {
      key: 'store',
      label: t`Files`,
      value: <State good={status.files.reached} />,
      note:
        status.files.place === 'disk'
          ? t`On the disk of this machine`
          : status.files.reached
            ? t`In a bucket, which answers`
            : t`In a bucket, which does not answer`,
    },
    {
      key: 'disk',
      label: t`Free space`,
      value: <State good={status.files.enough} />,
      note: t`${formatBytes(status.files.free)} on the machine that answered`,
    },
    {
      key: 'audit',
      label: t`Audit log`,
      value: <State good={!isLate(status.audit_waits)} />,
      note: isLate(status.audit_waits)
        ? t`Not sealed for ${ageText(status.audit_waits)}`
        : t`Sealed up to now`,
    },
    {
      key: 'ledger',
      label: t`Ledger of payments`,
      value: <State good={!!status.ledger && !status.ledger.late && status.ledger.differences === 0} />,
      note: (
        <>
          {ledgerNote}
          {status.ledger?.agencies != null && (
            <div>
              <Plural
                value={status.ledger.agencies}
                one="# list of an agency was compared, too."
                other="# lists of agencies were compared, too."
              />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'backup',
      label: t`Backup`,
      value: <State good={!!status.backup && !status.backup.late} />,
      note: backupNote,
    },
    {
      key: 'erasures',
      label: t`Erasures of people`,
      value: <State good={status.erasures.overdue === 0} />,
      note: erasuresNote,
    },
  ]
  return (
    <Card
      title={<Trans>Files, log, ledger, backup and erasures</Trans>}
      text={
        <Trans>
          The ledger is checked every night by the command “ledger:verify”, which names each difference. A
          backup is as good as its last restore: ask whoever operates the portal when it was tried.
        </Trans>
      }
    >
      <Facts facts={facts} none={null} />
    </Card>
  )
}

/** What runs. */
export function Versions({ versions }: { versions: SystemStatus['versions'] | undefined }) {
  const { t } = useLingui()
  const facts = versions && [
    {
      key: 'modules',
      label: t`Modules`,
      value:
        versions.modules === null ? <State good={false} /> : t`Generation ${formatNumber(versions.modules)}`,
      note:
        versions.released_at === null
          ? t`Their store does not answer`
          : t`Live since ${formatDateTime(versions.released_at)} UTC`,
    },
    {
      key: 'migration',
      label: t`Latest migration`,
      value: <code className="mono">{versions.migration}</code>,
    },
    { key: 'database', label: 'PostgreSQL', value: versions.database },
    { key: 'node', label: 'Node', value: versions.node },
  ]
  return (
    <Card title={<Trans>Versions</Trans>}>
      <Facts facts={facts} none={null} />
    </Card>
  )
}
