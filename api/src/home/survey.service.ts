import type { Locale } from '@portal/contracts/sentences'
import { SignJWT } from 'jose'
import type { Context } from '../kit/context.ts'
import type { Settings } from '../kit/settings.ts'

/** Seconds that a token lives (Messages 5.1). */
const lifetime = 600
const nowhere = { url: null, issued_at: null, expires_at: null }

/** The survey's dashboard at the analytics host, signed for the next ten minutes; nulls without a host. */
export async function surveyEmbed({ settings, log }: Pick<Context, 'settings' | 'log'>, locale: Locale) {
  const { analytics } = settings
  if (!analytics) return nowhere
  const issued = Math.floor(Date.now() / 1000)
  const expires = issued + lifetime
  try {
    const token = await signEmbed(analytics, locale, expires)
    // Hides the host's own border and title, because the page has them already.
    const url = `${analytics.url.replace(/\/$/, '')}/embed/dashboard/${token}#bordered=false&titled=false`
    return { url, issued_at: instant(issued), expires_at: instant(expires) }
  } catch (error) {
    log.error({ err: error }, 'the survey’s embed address could not be signed')
    return nowhere
  }
}

/** Metabase's static embedding: the secret is the text of its 64 characters, a dashboard has a number or a 21-character id. */
function signEmbed(
  { secret, dashboard }: NonNullable<Settings['analytics']>,
  locale: Locale,
  expires: number,
): Promise<string> {
  const id = /^\d+$/.test(dashboard) ? Number(dashboard) : dashboard
  return new SignJWT({ resource: { dashboard: id }, params: { locale } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret))
}

const instant = (seconds: number) => new Date(seconds * 1000).toISOString()
