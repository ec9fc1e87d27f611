import type { Locale } from '@portal/i18n/locale'
import { client, queryClient } from './client.ts'
import { useSessionStore } from './session.ts'

/** Keeps a chosen language with the person, not only with this browser (Languages 1.2). */
export async function rememberLocale(locale: Locale): Promise<void> {
  const { session, prefer } = useSessionStore.getState()
  if (!session?.user || session.locale === locale) return
  prefer(locale)
  const { profile } = await import('@portal/contracts/access/profile')
  // The page has the language already; if storing it fails, the next change stores it.
  await client
    .call(profile.prefer, { params: { id: session.user.id }, body: { locale } })
    .then(() => queryClient.invalidateQueries({ queryKey: ['GET /users/profile/details'] }))
    .catch(() => {})
}
