import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll } from 'vitest'
import type { IdentityProvider } from '../../src/kit/http/identity-providers.ts'
import type { Answer, Client } from '../client.ts'

/** The address that the portal has for people, and that the provider sends them back to. */
export const publicUrl = 'https://portal.example'

/** What the provider's next person is called, and how she behaves there. */
type Person = { email: string; verified: boolean; cancels?: boolean }

export type TestProvider = {
  /** The entry of the portal's settings. */
  entry: IdentityProvider
  /** Whoever signs in at the provider from now on. */
  person: Person
  /** Stops to listen. */
  stop(): Promise<void>
}

/** Starts a real OIDC provider on this machine. It signs everybody in as `person`, without a page in between. */
export async function startIdentityProvider(name: string, domains: string[]): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const entry: IdentityProvider = {
    name,
    label: `The ${name}`,
    issuer,
    clientId: 'portal',
    clientSecret: 'a secret of the provider and the portal',
    domains,
    longestMs: 2000,
  }
  const running: TestProvider = {
    entry,
    person: { email: 'nobody@test.example', verified: true },
    stop: () => closed(server),
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: entry.clientId,
        client_secret: entry.clientSecret,
        redirect_uris: [`${publicUrl}/api/login/with/${name}/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the test'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/people/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => {
        const { email, verified } = JSON.parse(sub) as Person
        return { sub, email, email_verified: verified }
      },
    }),
    // Nobody is asked whether the portal may know the e-mail.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/people/')) return answer(request, response)
    const { person } = running
    const result = person.cancels
      ? { error: 'access_denied' }
      : { login: { accountId: JSON.stringify(person) } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  afterAll(() => closed(server))
  return running
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** A person's browser, with the cookies of the provider besides those of the portal. */
export class Traveller {
  readonly portal: Client
  readonly cookies = new Map<string, string>()
  constructor(portal: Client) {
    this.portal = portal
  }

  /** Follows the button to the provider. Returns where it leads. */
  async begin(name: string, query = ''): Promise<URL> {
    return addressIn(await this.portal.get(`/login/with/${name}${query}`))
  }

  /** Signs in at the provider. Returns the path of the callback that it leads to. */
  async signInAt(address: URL): Promise<string> {
    let next = address
    while (next.origin !== publicUrl) {
      const cookie = [...this.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
      for (const line of answer.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value) this.cookies.set(key, value)
        else this.cookies.delete(key)
      }
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${next.href}: ${answer.status} ${await answer.text()}`)
      next = new URL(location, next)
    }
    return `${next.pathname}${next.search}`.replace('/api', '')
  }

  /** The whole way. Returns where the portal leads in the end. */
  async signIn(name: string, query?: string): Promise<URL> {
    const callback = await this.signInAt(await this.begin(name, query))
    return addressIn(await this.portal.get(callback))
  }
}

/** Where an answer leads. */
export function addressIn({ status, headers }: Answer): URL {
  if (status !== 303 || !headers.location) throw new Error(`${status} leads nowhere`)
  return new URL(headers.location)
}
