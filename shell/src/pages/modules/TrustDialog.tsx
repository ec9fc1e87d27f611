import { Trans, useLingui } from '@lingui/react/macro'
import { modules } from '@portal/contracts/modules'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStale } from '../../platform/stale.ts'
import { TrustNotice } from './RunsField.tsx'

/** An admitted build, and whether it shall be trusted. */
export type Trusting = { name: string; title: string; version: string; build: string; trusted: boolean }

/** Asks before a version is trusted, or isolated again. */
export function TrustDialog({ trusting, onClose }: { trusting: Trusting; onClose: () => void }) {
  const { t } = useLingui()
  const { name, title, version, build, trusted } = trusting
  const form = useEndpointForm(modules.trust, {
    params: { module: name },
    defaults: { build, trusted },
    refetches: [modules.list, modules.versions, modules.changes],
    onDone: () => {
      // This tab runs it as it was until now.
      useStale.setState({ stale: true })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={trusted ? t`Trust ${title} ${version}` : t`Isolate ${title} ${version}`}
      description={`${name} · ${build.slice(0, 7)}`}
      form={form}
      onClose={onClose}
      danger={trusted}
      confirmLabel={trusted ? t`Trust version ${version}` : t`Isolate version ${version}`}
    >
      {trusted ? (
        <TrustNotice />
      ) : (
        <>
          <p className="strong">
            <Trans>It runs in a frame of its own, and may do only what its manifest names.</Trans>
          </p>
          <p>
            <Trans>
              Pages that are open hear of it within a minute, and change at their next step. Calls that it
              does not name are refused from then on.
            </Trans>
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}
