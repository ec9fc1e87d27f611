import { lazy } from '@portal/screens/lazy'
import { useSession } from '@portal/sdk'

const OneEyeBanner = lazy(() => import('./dialogs/OneEyeBanner.tsx'), 'OneEyeBanner')

/** Where one pair of eyes is enough (the demo), the pages of decisions say so. */
export function OneEyeNotice() {
  const { settings } = useSession()
  return settings.four_eyes ? null : <OneEyeBanner />
}
