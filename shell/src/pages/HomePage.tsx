import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type HomeStatistics, home } from '@portal/contracts/home'
import { formatDate, formatTime } from '@portal/i18n/format'
import { problemText } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { useSession } from '@portal/sdk'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Icon, type IconName } from '@portal/ui/Icon'
import { Count, Money } from '@portal/ui/Money'
import { PageHead } from '@portal/ui/Page'
import { type ReactNode, useId } from 'react'
import { renderLink } from '../frame/links.tsx'
import { CapTable } from './CapTable.tsx'

/** Section 9: statistics are refreshed every 5 minutes. */
const every = 300_000

/** The first page after sign-in: what the programme has reached, and where to look further. */
export default function HomePage() {
  const { t } = useLingui()
  const { user } = useSession()
  const { data, error, refetch, dataUpdatedAt, isFetching } = usePoll(home.statistics, { every })
  const updated = data && new Date(dataUpdatedAt).toISOString()
  const name = user.first_name
  return (
    <>
      <PageHead
        title={t`Hello, ${name}`}
        text={
          updated ? (
            <Trans>
              Figures of {formatDate(updated)} at {formatTime(updated)} UTC, refreshed every 5 minutes.
            </Trans>
          ) : (
            <Trans>Figures of the programme, refreshed every 5 minutes.</Trans>
          )
        }
      />
      {error && !data ? (
        <section className="card">
          <Blank
            failed
            title={t`The figures could not be loaded`}
            text={problemText(asProblem(error))}
            actions={
              <Button icon="retry" busy={isFetching} onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          />
        </section>
      ) : (
        <>
          <QuickStats statistics={data} />
          <CapSection statistics={data} />
        </>
      )}
    </>
  )
}

function QuickStats({ statistics }: { statistics: HomeStatistics | undefined }) {
  const { t } = useLingui()
  const caps = statistics?.disbursementByCap.length ?? 0
  const rounds = statistics?.totalMonths ?? 0
  return (
    <div className="stats">
      <Stat
        wide
        href="/admin/transfers/reconciliations"
        icon="transfers"
        label={t`Cash transfers`}
        figure={statistics?.totalBeneficiaries}
        note={
          statistics && (
            <Trans>
              <Money amount={statistics.totalDisbursed} /> spent in{' '}
              <Plural value={rounds} one="# disbursement round" other="# disbursement rounds" />
            </Trans>
          )
        }
      />
      <Stat
        href="/admin/schools"
        icon="school"
        label={t`Schools`}
        figure={statistics?.totalSchools}
        note={statistics && <Trans>in {caps} CAP</Trans>}
      />
      <Stat
        href="/admin/schools/students"
        icon="user"
        label={t`Student beneficiaries`}
        figure={statistics?.totalStudents}
        note={<Trans>enrolled in the programme</Trans>}
      />
      <Stat
        wide
        href="/admin/schools/parents"
        icon="users"
        label={t`Beneficiary guardians`}
        figure={statistics?.totalParents}
        note={<Trans>who receive for a student</Trans>}
      />
    </div>
  )
}

type StatProps = {
  href: string
  icon: IconName
  label: string
  figure: number | undefined
  note?: ReactNode
  wide?: boolean
}

function Stat({ href, icon, label, figure, note, wide }: StatProps) {
  return renderLink({
    href,
    className: wide ? 'card stat wide' : 'card stat',
    children: (
      <>
        <span className="label">
          <Icon name={icon} />
          <span>{label}</span>
          <Icon name="arrow" size={16} className="go" />
        </span>
        <span className="figure">
          {figure === undefined ? <Skeleton width={96} height={28} /> : <Count value={figure} />}
        </span>
        <span className="note">{note ?? <Skeleton width={140} />}</span>
      </>
    ),
  })
}

function CapSection({ statistics }: { statistics: HomeStatistics | undefined }) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <div className="grow">
          <h2 id={id}>
            <Trans>Disbursement by CAP</Trans>
          </h2>
          <p>
            <Trans>Amount transferred since the first round, from the highest to the lowest.</Trans>
          </p>
        </div>
      </div>
      <CapTable rows={statistics?.disbursementByCap} />
    </section>
  )
}
