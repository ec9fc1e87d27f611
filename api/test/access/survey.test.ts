import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'

const secret = '5e'.repeat(32)
const portal = await startPortal({
  analytics: { url: 'https://analytics.example/', secret, dashboard: '12' },
})
const elsewhere = await startPortal({ analytics: undefined })

/** Decodes the token of an embed address like the analytics host. */
async function tokenOf(url: string) {
  const [, token = '', options] =
    /^https:\/\/analytics\.example\/embed\/dashboard\/([^#]+)#(.+)$/.exec(url) ?? []
  const read = await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] })
  return { ...read, options }
}

describe('the survey', () => {
  test('an auditor gets an address that is good for 600 seconds and for this dashboard only', async () => {
    const auditor = await portal.signedInAs('Auditor')
    const began = Math.floor(Date.now() / 1000)
    const { status, body } = await auditor.get('/home/survey/embed')
    const { payload, protectedHeader } = await tokenOf(body.url)
    expect(status).toBe(200)
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(payload.resource).toEqual({ dashboard: 12 })
    expect(payload.exp).toBe(Date.parse(body.expires_at) / 1000)
    expect(Date.parse(body.expires_at) - Date.parse(body.issued_at)).toBe(600_000)
    expect(Date.parse(body.issued_at) / 1000 - began).toBeLessThan(60)
  })

  test('an auditor sees the survey in the language of her portal', async () => {
    const auditor = await portal.signedIn('survey.view')
    const { body } = await auditor.get('/home/survey/embed', { 'accept-language': 'fr' })
    expect((await tokenOf(body.url)).payload.params).toEqual({ locale: 'fr' })
  })

  test('a person who may not see the survey gets no token', async () => {
    const officer = await portal.signedInAs('Transfer Officer')
    const visitor = await portal.visitor()
    expect((await officer.get('/home/survey/embed')).status).toBe(403)
    expect((await visitor.get('/home/survey/embed')).status).toBe(401)
  })

  test('an auditor of a portal without an analytics host reads that there is no survey', async () => {
    const auditor = await elsewhere.signedIn('survey.view')
    const { status, body } = await auditor.get('/home/survey/embed')
    expect(status).toBe(200)
    expect(body).toEqual({ url: null, issued_at: null, expires_at: null })
  })

  test('nobody finds the secret in any response', async () => {
    const auditor = await portal.signedIn('survey.view')
    const { body } = await auditor.get('/home/survey/embed')
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})
