import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModuleError, type ModuleStatus, modules } from '@portal/contracts/modules'
import { formatBytes } from '@portal/i18n/format'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useList } from '@portal/screens/useList'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Facts } from '@portal/ui/Figures'
import { Count, DateText, Nothing } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import { Timeline } from '@portal/ui/Timeline'
import { actsOn, type ModuleAct } from './acts.ts'
import { FlagsCard } from './FlagsCard.tsx'
import { VersionsCard } from './History.tsx'
import { LoadTime, ModulePill, PublishedBy } from './pieces.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { TokensCard } from './TokensCard.tsx'
import { UsageCard } from './Usage.tsx'
import { changeWords, reasonText, titleOf } from './words.ts'

type Props = { module: ModuleStatus; onAct: (act: ModuleAct) => void }

/** One module: how it stands, what went wrong with it in browsers, and what was changed about it. */
export function ModuleDetails({ module, onAct }: Props) {
  const { t } = useLingui()
  const can = useCan()
  const manages = can('modules.manage')
  const { name, owner, version, build, published_at } = module
  const facts = [
    {
      key: 'version',
      label: t`Version`,
      value: version,
      note: <span className="mono">{build.slice(0, 7)}</span>,
    },
    {
      key: 'published',
      label: t`Published`,
      value: <DateText iso={published_at} time />,
      note: <PublishedBy module={module} />,
    },
    { key: 'owner', label: t`Owner`, value: owner.name, note: owner.contact },
    {
      key: 'loads',
      label: t`Loads`,
      value: <Count value={module.loads} />,
      note: module.errors > 0 ? <Errors count={module.errors} /> : undefined,
    },
    { key: 'time', label: t`Load time`, value: <LoadTime module={module} /> },
    {
      key: 'bytes',
      label: t`First load`,
      value: module.bytes_median === null ? <Nothing /> : formatBytes(module.bytes_median),
    },
  ]
  return (
    <ListPage
      title={titleOf(module)}
      description={name}
      status={<ModulePill module={module} />}
      back={{ to: '/admin/modules', label: t`Modules` }}
      actions={actsOn(module, can).map(({ act, label, icon, danger }) => (
        <Button key={act} icon={icon} variant={danger ? 'danger' : 'primary'} onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
    >
      <Facts facts={facts} />
      {manages && <SettingsCard name={name} />}
      {manages && <FlagsCard name={name} />}
      <UsageCard name={name} />
      {manages && <TokensCard module={name} />}
      <ErrorsCard name={name} named={manages} />
      <VersionsCard name={name} />
      <ChangesCard name={name} />
    </ListPage>
  )
}

const Errors = ({ count }: { count: number }) => (
  <Plural value={count} one="with # error" other="with # errors" />
)

/** `named`: the list says who met each failure. */
function ErrorsCard({ name, named }: { name: string; named: boolean }) {
  const { t } = useLingui()
  const list = useList(modules.errors, 'errors', { params: { module: name } })
  const columns: Column<ModuleError>[] = [
    {
      key: 'created_at',
      header: t`When`,
      phone: 'note',
      cell: ({ created_at }) => <DateText iso={created_at} time />,
    },
    {
      key: 'reason',
      header: t`What happened`,
      wrap: true,
      phone: 'title',
      cell: ({ reason, message, stack }) => (
        <span>
          {reasonText(reason)}
          {message && <span className="under">{message}</span>}
          {stack && (
            <details>
              <summary>
                <Trans>Where in the code</Trans>
              </summary>
              <pre className="stack-lines">{stack}</pre>
            </details>
          )}
        </span>
      ),
    },
    {
      key: 'reference',
      header: t`Reference`,
      cell: ({ reference }) => <span className="mono">{reference}</span>,
    },
    { key: 'version', header: t`Version`, phone: 'note' },
    { key: 'path', header: t`Page`, wrap: true },
    ...(named ? [{ key: 'user', header: t`Who`, wrap: true } satisfies Column<ModuleError>] : []),
  ]
  return (
    <section className="stack close">
      <h2>
        <Trans>What went wrong in browsers</Trans>
      </h2>
      <DataTable
        label={t`What went wrong in browsers`}
        list={list}
        columns={columns}
        search={t`Reference, page or message`}
        empty={{ title: t`Nothing went wrong`, text: t`Reports are kept for 30 days.` }}
      />
    </section>
  )
}

function ChangesCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, modules.changes, { params: { module: name } }))
  const failure = failureOf(error, refetch)
  return (
    <Card
      title={t`What was changed`}
      text={t`Whatever made another version live, or took it away; the last hundred.`}
      padded={!failure || Boolean(data)}
    >
      {!data && !failure && <Skeleton width="60%" />}
      {!data && failure && <Failed {...failure} />}
      {data && (
        <Timeline
          events={data.changes.map((change) => {
            const { text, ...look } = changeWords(change)
            return {
              ...look,
              key: change.generation,
              title: text,
              when: <DateText iso={change.at} time />,
              by: `${change.by} · ${change.build.slice(0, 7)}`,
            }
          })}
        />
      )}
    </Card>
  )
}
