import { Trans, useLingui } from '@lingui/react/macro'
import { invalidate } from '@portal/client/query'
import { type ModuleStatus, modules } from '@portal/contracts/modules'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useQueryClient } from '@portal/sdk'
import { useEffect } from 'react'
import { useStale } from '../../platform/stale.ts'
import type { ModuleAct } from './acts.ts'
import { titleOf, versionBeside } from './words.ts'

/** The acts that change what is live. */
export type Change = Exclude<ModuleAct, 'trust' | 'isolate'>
type Props = { module: ModuleStatus; act: Change; generation: number; onClose: () => void }

/** Asks before a module changes for everybody, and says what that means. */
export function ChangeModuleDialog({ module, act, generation, onClose }: Props) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const name = titleOf(module)
  const form = useEndpointForm(modules.change, {
    params: { module: module.name },
    defaults: { action: act, generation },
    refetches: [modules.list, modules.changes],
    onDone: () => {
      // This tab runs what was live until now.
      useStale.setState({ stale: true })
      onClose()
    },
  })
  const moved = form.problem?.status === 409
  useEffect(() => {
    if (moved) void invalidate(queries, modules.list, modules.changes)
  }, [moved, queries])
  const titles = {
    enable: t`Enable the module ${name}`,
    disable: t`Disable the module ${name}`,
    rollback: t`Roll back the module ${name}`,
  }
  const labels = { enable: t`Enable ${name}`, disable: t`Disable ${name}`, rollback: t`Roll back ${name}` }
  return (
    <ConfirmDialog
      title={titles[act]}
      description={module.name}
      form={form}
      onClose={onClose}
      danger={act !== 'enable'}
      confirmLabel={labels[act]}
    >
      <Consequence module={module} act={act} />
    </ConfirmDialog>
  )
}

function Consequence({ module, act }: Pick<Props, 'module' | 'act'>) {
  const { previous, canary } = module
  const version = previous ? versionBeside(module, previous) : module.version
  if (act === 'enable')
    return (
      <p>
        <Trans>Everybody whose role allows it can open it again, in version {module.version}.</Trans>
      </p>
    )
  if (act === 'disable')
    return (
      <>
        <p className="strong">
          <Trans>Nobody can open it any more, in the whole portal, until it is enabled again.</Trans>
        </p>
        <p>
          <Trans>
            Its entries in the menu stay and say that it is switched off. Nothing that was entered is lost.
            Pages that are open hear of it within a minute, and change at their next step.
          </Trans>
        </p>
      </>
    )
  const tried = canary?.version
  const before = previous && versionBeside(previous, module)
  return (
    <>
      <p className="strong">
        {tried ? (
          <Trans>
            The trial of version {tried} ends at once; everybody has version {version}.
          </Trans>
        ) : (
          <Trans>
            Version {before} takes the place of version {version} for everybody, at once.
          </Trans>
        )}
      </p>
      <p>
        <Trans>
          Pages that are open hear of it within a minute, and change at their next step; nothing that was
          entered is lost. To bring the newer version back, its team makes it live again.
        </Trans>
      </p>
    </>
  )
}
