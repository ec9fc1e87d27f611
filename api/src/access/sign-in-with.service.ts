import type { Text } from '@portal/contracts/sentences'
import { audit } from '../kit/audit/audit.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { IdentityProvider } from '../kit/http/identity-providers.ts'
import { invalid } from '../kit/http/refusals.ts'
import type { Actor, Author } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { say } from './messages.ts'
import { ProviderAway, ProviderRefusal, type Request, vouchedBy } from './oidc.ts'
import { enter, fingerprint, triedAccount } from './sessions.service.ts'
import type { Vouched } from './sign-in-cookie.ts'

/** A sign-in through a provider that did not end in a session. The outcome chooses the sentence of the sign-in page. */
export class NotSignedIn extends Error {
  readonly outcome: 'refused' | 'away'
  constructor(outcome: 'refused' | 'away', options?: ErrorOptions) {
    super(outcome, options)
    this.outcome = outcome
  }
}

/** Why a sign-in was refused, for the audit log. The person gets one sentence for all of them. */
const reasons = {
  provider: {
    en: 'the provider refused, or its answer failed a check',
    fr: 'le fournisseur a refusé, ou sa réponse n’a pas passé un contrôle',
  },
  away: { en: 'the provider did not answer', fr: 'le fournisseur n’a pas répondu' },
  unverified: {
    en: 'the provider has not verified the e-mail',
    fr: 'le fournisseur n’a pas vérifié l’e-mail',
  },
  domain: {
    en: 'the provider may not vouch for the domain of the e-mail',
    fr: 'le fournisseur ne peut pas répondre du domaine de l’e-mail',
  },
  account: {
    en: 'no account with this e-mail may sign in',
    fr: 'aucun compte avec cet e-mail ne peut ouvrir de session',
  },
} satisfies Record<string, Text>

/**
 * Finds the account that a provider's answer vouches for. Its e-mail must be verified and of one of the provider's domains,
 * and an active account must have it (Access 1.7). Throws `NotSignedIn`; every refusal is audited.
 */
export async function vouchedAccount(
  { db, settings, log }: Context,
  author: Author,
  provider: IdentityProvider,
  answer: URL,
  made: Request,
): Promise<Vouched> {
  const refuse = async (reason: keyof typeof reasons, about: Refused = {}, cause?: unknown) => {
    await noteRefusal(db, author, provider, reasons[reason], about)
    return new NotSignedIn(reason === 'away' ? 'away' : 'refused', { cause })
  }
  const vouched = await vouchedBy(provider, answer, made).catch(async (error) => {
    if (!(error instanceof ProviderAway || error instanceof ProviderRefusal)) throw error
    log.warn({ err: error, provider: provider.name }, 'a sign-in through a provider failed')
    throw await refuse(error instanceof ProviderAway ? 'away' : 'provider', {}, error)
  })
  const email = vouched.email?.toLowerCase() ?? ''
  // Letters that only look like those of an address, or become them in lower case, belong to somebody else.
  const [, domain] = /^[!-?A-~]+@([!-?A-~]+)$/.exec(vouched.email ?? '') ?? []
  const unknown = { new: fingerprint(settings, email) }
  if (!vouched.verified || !domain) throw await refuse('unverified', unknown)
  if (!provider.domains.includes(domain.toLowerCase())) throw await refuse('domain', unknown)
  const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
  if (!user) throw await refuse('account', unknown)
  // A person who was only invited must first choose a password with the link of the letter.
  if (!user.account || user.deactivated_at || !user.password_hash)
    throw await refuse('account', { id: user.id, new: { email } })
  return { at: 'code', provider: provider.name, user_id: user.id, email, auth_time: vouched.authTime }
}

/**
 * Begins the session of somebody for whom a provider has vouched. Returns null while a one-time code is missing: what the
 * provider asked for does not replace it.
 */
export async function beginVouched(
  context: Context,
  author: Author,
  before: Actor | null,
  vouched: Vouched,
  code?: string,
): Promise<string | null> {
  const { db, settings } = context
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', vouched.user_id)
    .where('email', '=', vouched.email)
    .executeTakeFirst()
  if (!user?.account || user.deactivated_at || !user.password_hash) throw invalid({ code: say.signInOver })
  if (user.totp_confirmed_at && !code) return null
  const { provider: name, auth_time } = vouched
  return enter(context, author, before, {
    user,
    code,
    tried: await triedAccount(db, vouched.email, author),
    provider: { name: labelOf(settings, name), authenticatedAt: instantOf(auth_time) },
  })
}

const labelOf = ({ identityProviders }: Settings, name: string) =>
  identityProviders.find((one) => one.name === name)?.label ?? name

/** A provider that does not say when it asked for the password may have asked long ago. */
function instantOf(seconds: number | null): string {
  return seconds !== null && seconds > 0 && seconds < 4e9
    ? new Date(seconds * 1000).toISOString()
    : '-infinity'
}

type Refused = { id?: number; new?: Record<string, unknown> }

const noteRefusal = (
  db: Db,
  author: Author,
  { label }: IdentityProvider,
  reason: Text,
  { id, new: details }: Refused,
) =>
  transaction(db, (tx) =>
    audit(tx, author, 'provider sign-in failed', 'user', id ?? null, {
      new: { provider: label, reason, ...details },
    }),
  )
