import { lazy } from '@portal/screens/lazy'
import { useHold } from './useHold.tsx'

const HoldBanner = lazy(() => import('./dialogs/HoldBanner.tsx'), 'HoldBanner')

/** Says on every page of transfers that nothing is sent, while that is so. */
export function HoldNotice() {
  const { hold } = useHold()
  return hold ? <HoldBanner reasons={hold.reasons} /> : null
}
