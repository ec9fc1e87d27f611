import type { Locale } from '@portal/contracts/sentences'
import { SignJWT } from 'jose'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'

/** Lifetime of a token in seconds (Messages 5.1). */
const lifetime = 600
const nowhere = { url: null, issued_at: null, expires_at: null }

/**
 * The address of the survey's dashboard at the analytics host, signed for ten minutes. All values are null if no host
 * is configured.
 */
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

/**
 * Signs a token for Metabase's static embedding. The key is the text of the secret's 64 characters, not the bytes that
 * they encode. A dashboard has a number or an id of 21 characters.
 */
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
