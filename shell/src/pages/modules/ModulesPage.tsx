import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type ModuleStatus, modules } from '@portal/contracts/modules'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { NotReadAgain } from '@portal/screens/NotReadAgain'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { usePoll } from '@portal/screens/usePoll'
import { useCan } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Table } from '@portal/ui/Table'
import { useSearchParams } from 'react-router-dom'
import { actsOn, type ModuleAct } from './acts.ts'
import type { Change } from './ChangeModuleDialog.tsx'
import { ModuleDetails } from './ModuleDetails.tsx'
import './modules.css'
import type { Trusting } from './TrustDialog.tsx'
import { useModuleColumns } from './useModuleColumns.tsx'
import { WaitingBuilds } from './WaitingBuilds.tsx'
import { titleOf } from './words.ts'

const TrustDialog = lazy(() => import('./TrustDialog.tsx'), 'TrustDialog')
const ChangeModuleDialog = lazy(() => import('./ChangeModuleDialog.tsx'), 'ChangeModuleDialog')

const useModules = () => usePoll(modules.list, { every: 15_000 })

type Opened = (module: ModuleStatus, act: ModuleAct) => void

/** What the portal consists of: whose each module is, how it fares, and the way to take it out or back. */
export default function ModulesPage() {
  const [url] = useSearchParams()
  const poll = useModules()
  const { open, dialog } = useActs(poll.data?.generation ?? 0)
  const name = url.get('module')
  const chosen = poll.data?.modules.find((module) => module.name === name)
  if (name && chosen)
    return (
      <>
        <ModuleDetails key={name} module={chosen} onAct={(act) => open(chosen, act)} />
        {dialog}
      </>
    )
  if (name && poll.data) return <UnknownModule />
  return (
    <>
      <AllModules poll={poll} onAct={open} />
      {dialog}
    </>
  )
}

/** The dialog in which an act on a module is confirmed. */
function useActs(generation: number) {
  const changing = useDialog<{ module: ModuleStatus; act: Change; generation: number }>()
  const trusting = useDialog<Trusting>()
  const open: Opened = (module, act) => {
    const { name, version, build } = module
    if (act === 'trust' || act === 'isolate')
      trusting.open({ name, version, build, title: titleOf(module), trusted: act === 'trust' })
    else changing.open({ module, act, generation })
  }
  const dialog = (
    <>
      {changing.item && <ChangeModuleDialog {...changing.item} onClose={changing.close} />}
      {trusting.item && <TrustDialog trusting={trusting.item} onClose={trusting.close} />}
    </>
  )
  return { open, dialog }
}

function UnknownModule() {
  const { t } = useLingui()
  return (
    <ListPage title={t`Modules`} back={{ to: '/admin/modules', label: t`Modules` }}>
      <Card>
        <Blank
          icon="search"
          title={t`There is no module of this name`}
          actions={
            <ButtonLink href="/admin/modules" renderLink={pageLink}>
              <Trans>All modules</Trans>
            </ButtonLink>
          }
        />
      </Card>
    </ListPage>
  )
}

type AllProps = { poll: ReturnType<typeof useModules>; onAct: Opened }

/** The list of modules, below the builds that wait for admission. */
function AllModules({ poll: { data, error, refetch }, onAct }: AllProps) {
  const { t } = useLingui()
  const columns = useModuleColumns()
  const can = useCan()
  const admits = can('modules.admit')
  const problem = error ? asProblem(error) : null
  return (
    <ListPage
      title={t`Modules`}
      description={t`What the portal consists of, and how each part has fared in people’s browsers for seven days.`}
    >
      {admits && <WaitingBuilds />}
      <Card>
        {data && <NotReadAgain problem={problem} onRetry={refetch} />}
        <Table
          label={t`Modules`}
          many
          expected={5}
          columns={columns}
          rows={data?.modules}
          rowKey={(module) => module.name}
          rowName={(module) => module.name}
          empty={{
            title: t`No module is live yet`,
            text: t`They appear here once one has been published.`,
          }}
          failure={data ? null : failureOf(problem, refetch)}
          {...((admits || can('modules.manage')) && {
            rowActions: (module: ModuleStatus) =>
              actsOn(module, can).map(({ act, ...look }) => ({
                ...look,
                onSelect: () => onAct(module, act),
              })),
          })}
        />
      </Card>
    </ListPage>
  )
}
