import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type ModuleStatus, modules } from '@portal/contracts/modules'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { failureOf, problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { usePoll } from '@portal/screens/usePoll'
import { useCan } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
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

/** What the portal consists of: whose each module is, how it fares, and the way to take it out or back. */
export default function ModulesPage() {
  const { t } = useLingui()
  const [url] = useSearchParams()
  const { data, error, refetch } = usePoll(modules.list, { every: 15_000 })
  const changing = useDialog<{ module: ModuleStatus; act: Change; generation: number }>()
  const trusting = useDialog<Trusting>()
  const columns = useModuleColumns()
  const manages = useCan()('modules.manage')
  const open = (module: ModuleStatus, act: ModuleAct) => {
    const { name, version, build } = module
    if (act === 'trust' || act === 'isolate')
      trusting.open({ name, version, build, title: titleOf(module), trusted: act === 'trust' })
    else changing.open({ module, act, generation: data?.generation ?? 0 })
  }
  const dialog = (
    <>
      {changing.item && <ChangeModuleDialog {...changing.item} onClose={changing.close} />}
      {trusting.item && <TrustDialog trusting={trusting.item} onClose={trusting.close} />}
    </>
  )
  const problem = error ? asProblem(error) : null

  const name = url.get('module')
  const chosen = data?.modules.find((module) => module.name === name)
  if (name && chosen)
    return (
      <>
        <ModuleDetails key={name} module={chosen} onAct={(act) => open(chosen, act)} />
        {dialog}
      </>
    )
  if (name && data)
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
  return (
    <ListPage
      title={t`Modules`}
      description={t`What the portal consists of, and how each part has fared in people’s browsers for seven days.`}
    >
      {manages && <WaitingBuilds />}
      <Card>
        {problem && data && (
          <Notice
            tone="bad"
            alert
            actions={
              <Button small icon="retry" onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          >
            {problemText(problem)}
          </Notice>
        )}
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
          {...(manages && {
            rowActions: (module: ModuleStatus) =>
              actsOn(module).map(({ act, label, icon, danger }) => ({
                label,
                icon,
                danger,
                onSelect: () => open(module, act),
              })),
          })}
        />
      </Card>
      {dialog}
    </ListPage>
  )
}
