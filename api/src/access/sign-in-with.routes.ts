import { randomUUID } from 'node:crypto'
import { type SignInWithOutcome, signInWith } from '@portal/contracts/access/sign-in-with'
import { startAddress } from '../home/start-page.service.ts'
import type { IdentityProvider } from '../kit/http/identity-providers.ts'
import { invalid, Refusal } from '../kit/http/refusals.ts'
import { Redirect } from '../kit/http/respond.ts'
import { type App, type Call, serve } from '../kit/http/serve.ts'
import { setSession } from '../kit/http/session.ts'
import type { Settings } from '../kit/process/settings.ts'
import { say } from './messages.ts'
import { ProviderAway, requestAt } from './oidc.ts'
import { takeAttempt } from './rate-limiter.service.ts'
import { signedInAnswer } from './sessions.routes.ts'
import { dropStep, keepStep, readStep, type Started } from './sign-in-cookie.ts'
import { beginVouched, NotSignedIn, vouchedAccount } from './sign-in-with.service.ts'

/** The calls of a sign-in through an identity provider. */
export function signInWithRoutes(app: App) {
  serve(app, signInWith.start, async ({ settings, log, params, query, reply }) => {
    const next = ownPath(settings, query.next)
    const provider = providerOf(settings, params.provider)
    if (!provider) return toSignIn(settings, 'refused', next)
    try {
      const { address, made } = await requestAt(
        provider,
        redirectAddress(settings, provider),
        Boolean(query.again),
      )
      keepStep(settings, reply, { at: 'provider', provider: provider.name, ...made, next })
      return new Redirect(address)
    } catch (error) {
      if (!(error instanceof ProviderAway)) throw error
      log.warn({ err: error, provider: provider.name }, 'a provider does not answer')
      return toSignIn(settings, 'away', next)
    }
  })
  serve(app, signInWith.callback, async (call) => {
    const { settings, params, request, reply } = call
    const started = readStep(settings, request)
    const provider = providerOf(settings, params.provider)
    dropStep(settings, reply)
    if (started?.at !== 'provider' || started.provider !== provider?.name)
      return toSignIn(settings, 'over', null)
    try {
      return await finish(call, provider, started)
    } catch (error) {
      if (error instanceof NotSignedIn) return toSignIn(settings, error.outcome, started.next)
      // This is a page and no call of a script, so the sentence is told by the sign-in page.
      if (error instanceof Refusal && error.status === 429) return toSignIn(settings, 'wait', started.next)
      if (error instanceof Refusal && error.status === 422) return toSignIn(settings, 'refused', started.next)
      throw error
    }
  })
  serve(app, signInWith.code, async (call) => {
    const { settings, visitor, author, body, request, reply } = call
    const vouched = readStep(settings, request)
    if (vouched?.at !== 'code') throw invalid({ code: say.signInOver })
    const token = await beginVouched(call, author, visitor, vouched, body.code)
    if (!token) throw invalid({ code: say.signInOver })
    dropStep(settings, reply)
    return signedInAnswer(call, token)
  })
}

async function finish(call: Call, provider: IdentityProvider, started: Started): Promise<Redirect> {
  const { db, settings, author, visitor, request, reply } = call
  const answer = new URL(redirectAddress(settings, provider))
  answer.search = new URL(request.url, answer).search
  // Counted by address: nobody can guess an account here.
  const attempt = { kind: 'provider', subject: randomUUID(), address: author.ip ?? '' } as const
  const succeed = await takeAttempt(db, attempt)
  const vouched = await vouchedAccount(call, author, provider, answer, started)
  await succeed()
  const token = await beginVouched(call, author, visitor, vouched)
  if (!token) {
    keepStep(settings, reply, vouched)
    return toSignIn(settings, 'code', started.next)
  }
  setSession(settings, reply, token)
  const start = started.next ?? (await startAddress(db, vouched.user_id)) ?? '/home'
  return new Redirect(new URL(start, settings.publicUrl).href)
}

const providerOf = ({ identityProviders }: Settings, name: string) =>
  identityProviders.find((one) => one.name === name)

/** The redirect address to register at the provider. */
const redirectAddress = ({ publicUrl, apiBase }: Settings, { name }: IdentityProvider) =>
  `${publicUrl}${apiBase}/login/with/${name}/callback`

function toSignIn({ publicUrl }: Settings, outcome: SignInWithOutcome, next: string | null): Redirect {
  const address = new URL('/login', publicUrl)
  address.searchParams.set('with', outcome)
  if (next) address.searchParams.set('next', next)
  return new Redirect(address.href)
}

/** The page that was asked for, as a path of the portal; null for another site, the sign-in itself and calls. */
function ownPath({ publicUrl, apiBase }: Settings, next: string | undefined): string | null {
  if (!next?.startsWith('/') || !URL.canParse(next, publicUrl)) return null
  const { origin, pathname, search, hash } = new URL(next, publicUrl)
  // `/..//example.org` is a path here, and would be another site in a link.
  if (origin !== new URL(publicUrl).origin || pathname.startsWith('//')) return null
  if ([apiBase, '/login'].some((part) => pathname === part || pathname.startsWith(`${part}/`))) return null
  const path = `${pathname}${search}${hash}`
  // It travels in a cookie, which browsers limit to 4 KB.
  return path.length <= 1500 ? path : null
}
