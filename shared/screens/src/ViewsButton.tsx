import { Trans } from '@lingui/react/macro'
import { Problem } from '@portal/client/problem'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { lazyFile, useLazy } from '@portal/ui/lazy'
import { useState } from 'react'
import { problemText } from './problemText.tsx'
import type { List } from './useList.tsx'

const file = lazyFile(() => import('./views/ViewsMenu.tsx'))

/** Opens the person's saved views of a list. The menu and the views are fetched when they are first asked for. */
export function ViewsButton({ list }: { list: List<unknown> }) {
  const { notify } = useHost()
  const [wanted, setWanted] = useState(false)
  const loaded = useLazy(file, {
    wanted,
    onFailure() {
      setWanted(false)
      notify.bad(problemText(new Problem(0)))
    },
  })
  if (wanted && loaded) return <loaded.ViewsMenu list={list} />
  return (
    <Button
      icon="bookmark"
      className="views-button"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={file.prefetch}
      onFocus={file.prefetch}
      onClick={() => setWanted(true)}
    >
      <Trans>Views</Trans>
    </Button>
  )
}
