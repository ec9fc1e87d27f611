import { Trans } from '@lingui/react/macro'
import { Notice } from '@portal/ui/Notice'
import { useEffect, useRef, useState } from 'react'

/** Shown while the browser is offline, in a live region; it stays in sight above dialogs, which begin below it. */
export function Offline() {
  const [offline, setOffline] = useState(!navigator.onLine)
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const read = () => setOffline(!navigator.onLine)
    window.addEventListener('online', read)
    window.addEventListener('offline', read)
    return () => {
      window.removeEventListener('online', read)
      window.removeEventListener('offline', read)
    }
  }, [])
  useEffect(() => {
    const box = banner.current?.firstElementChild as HTMLElement | null | undefined
    if (!offline || !box) return
    const { style } = document.documentElement
    const measure = new ResizeObserver(() => style.setProperty('--banner', `${box.offsetHeight}px`))
    measure.observe(box)
    return () => {
      measure.disconnect()
      style.removeProperty('--banner')
    }
  }, [offline])
  if (!offline) return null
  return (
    <div ref={banner}>
      <Notice tone="waiting" title={<Trans>There is no connection.</Trans>}>
        <Trans>What you see may be old. What you type stays here; send it when the connection is back.</Trans>
      </Notice>
    </div>
  )
}
