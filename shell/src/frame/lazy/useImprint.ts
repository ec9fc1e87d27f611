import { useLingui } from '@lingui/react/macro'
import { formatDateTime } from '@portal/i18n/format'
import { useEffect } from 'react'
import { useSessionStore } from '../../session/session.ts'

/** Says on every printed page whose it is: the product, the moment and the person, which `print.css` puts on top. */
export function useImprint(): void {
  const { t } = useLingui()
  const user = useSessionStore((state) => state.session?.user)
  useEffect(() => {
    const say = () => {
      const when = formatDateTime(new Date().toISOString())
      const name = `${user?.first_name ?? ''} ${user?.last_name ?? ''}`.trim()
      const product = t`Girls’ education`
      document.body.dataset.printed = t`${product} · printed on ${when} UTC by ${name}`
    }
    window.addEventListener('beforeprint', say)
    return () => window.removeEventListener('beforeprint', say)
  }, [t, user])
}
