import { Trans } from '@lingui/react/macro'
import { currentLocale } from '@portal/i18n/locale'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { HostContext } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { forgetForms, mayLeave } from '../../session/dirty.ts'
import { makeShellHost } from '../host.ts'
import type { StateProps } from '../lazy-states.tsx'
import { chooseBuild } from '../modules.ts'
import type { Entry } from '../registry.ts'

const EmptySandboxDialog = lazy(() => import('./EmptySandboxDialog.tsx'), 'EmptySandboxDialog')

/** There is a newer version, and something typed here keeps it from coming by itself. */
export function StaleNotice() {
  const load = () => {
    const renew = () => {
      forgetForms()
      window.location.reload()
    }
    if (mayLeave(renew)) renew()
  }
  return (
    <Notice
      title={<Trans>There is a new version of the portal.</Trans>}
      actions={
        <Button small icon="retry" onClick={load}>
          <Trans>Load the new version</Trans>
        </Button>
      }
    >
      <Trans>What you are typing is kept until you save it or leave this page.</Trans>
    </Notice>
  )
}

/** What is on the page is the build before, because somebody chose it. */
export function PreviousNotice({ entry, of, pathname }: StateProps['PreviousNotice']) {
  const name = entry.title[currentLocale()]
  const { version } = of
  return (
    <Notice
      tone="waiting"
      title={
        <Trans>
          You use version {version} of {name}, the one before the current.
        </Trans>
      }
      actions={
        <Button small onClick={() => void chooseBuild(entry, 'current', pathname)}>
          <Trans>Use the current version</Trans>
        </Button>
      }
    >
      <Trans>It stays so in this tab until you load the page again.</Trans>
    </Notice>
  )
}

/** Runs the module from a developer's machine in a frame or in the page: the server keeps that, and the page opens anew. */
function KindSwitch({ entry: { name, base, isolated } }: { entry: Entry }) {
  const { port, pathname } = new URL(base)
  const key = pathname.replaceAll('/', '')
  const kind = isolated ? 'trusted' : 'isolated'
  const query = new URLSearchParams({ module: name, port, to: useLocation().pathname, key, kind })
  // A command of before serves to pages only.
  if (!key) return null
  return (
    <a className="button small-button" href={`/dev/override?${query}`} target="_self">
      {isolated ? <Trans>Run it trusted</Trans> : <Trans>Run it isolated</Trans>}
    </a>
  )
}

/** A module comes from a partner's own machine, in this browser only. */
export function OverrideNotice({ entry }: StateProps['OverrideNotice']) {
  const name = entry.title[currentLocale()]
  const { origin } = new URL(entry.base)
  const emptying = useDialog()
  const [host] = useState(makeShellHost)
  return (
    <Notice
      tone="waiting"
      title={
        <Trans>
          The module {name} comes from {origin}, in this browser only.
        </Trans>
      }
      actions={
        <>
          <KindSwitch entry={entry} />
          <Button small onClick={() => emptying.open(true)}>
            <Trans>Empty the sandbox</Trans>
          </Button>
          {/* The server takes the setting back: a page of its own, not one of the portal's. */}
          <a className="button small-button" href="/dev/override/reset" target="_self">
            <Trans>Reset</Trans>
          </a>
        </>
      }
    >
      <Trans>
        It is being developed; nobody has checked or signed it. Its records are in your own sandbox, apart
        from those of everybody else.
      </Trans>
      {emptying.item && (
        <HostContext value={host}>
          <EmptySandboxDialog module={entry.name} onClose={emptying.close} />
        </HostContext>
      )}
    </Notice>
  )
}
