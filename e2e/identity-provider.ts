import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { freePort } from '../scripts/lib/ports.mjs'
import { answers, startProgram } from '../scripts/lib/programs.mjs'
import { place } from './stage/place.ts'

/** The provider's own page. Its own icon keeps the browser from asking for one. */
const signInPage = `<!doctype html><html lang="en"><title>The Ministry</title><link rel="icon" href="data:,">
  <form method="post"><label>E-mail at the Ministry <input name="email"></label> <button>Continue</button></form>`

/**
 * Starts a real OIDC provider and a second api on the same database that offers it as "the Ministry of Education".
 * The provider believes everybody the e-mail that they give.
 */
export async function startWithProvider(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const client = { client_id: 'portal', client_secret: 'a secret of the provider and the portal' }
  const provider = new Provider(issuer, {
    clients: [
      // Of a program on one's own machine the provider accepts an address without https.
      { ...client, application_type: 'native', redirect_uris: [`${url}/api/login/with/ministry/callback`] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the journey'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/people/${uid}` },
    findAccount: (_, email) => ({
      accountId: email,
      claims: () => ({ sub: email, email, email_verified: true }),
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
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/people/')) return answer(request, response)
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(signInPage)
    const accountId = new URLSearchParams(await text(request)).get('email') ?? ''
    // It would ask for the consent of whoever uses a program of one's own machine.
    return provider.interactionFinished(request, response, { login: { accountId }, consent: {} })
  })
  const entry = {
    ...client,
    ...{ name: 'ministry', label: 'the Ministry of Education', issuer, domains: ['portal.example'] },
  }
  const api = startProgram('api', {
    env: {
      ...process.env,
      ...place.settings,
      ...{ PORT: port, PORTAL_PUBLIC_URL: url, PORTAL_OIDC: JSON.stringify([entry]) },
    },
    log: join(place.folder, 'logs', 'api-with-provider.log'),
  })
  await api.ready(() => answers(`${url}/api/health`))
  return {
    url,
    async stop() {
      await api.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}
