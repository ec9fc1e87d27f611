import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { endpointFault } from '../../../src/transfers/connectors/agency-address.ts'
import { recipient, startStage } from '../../cohorts.ts'
import { ribOf } from '../banks/rib.ts'
import { agencyForm } from './agency-form.ts'

const stage = await startStage(30)
const { portal, imported, approve, progress } = stage
const admin = await portal.signedInAs('Administrator')
await portal.worker()
const addAgency = (fields: object) =>
  admin.post('/admin/transfers/agency', agencyForm(stage.agency.url, fields))

const url = 'Write a web address that starts with https://.'
test.each(['javascript:alert(1)', 'ftp://bank.example', 'http://bank.example', 'https:/', 'https:///x'])(
  'an administrator who adds a bank with the web address %s reads at the field how it begins',
  async (endpoint) => {
    const payer = { payer_name: 'Programme', payer_account: ribOf(999), payer_bank: 'BDMAMLBA' }
    const bank = { type: 'bank', details: { protocol: 'file', ...payer } }
    const refused = await addAgency({ ...bank, endpoint })
    expect(refused).toMatchObject({ status: 422, body: { errors: { endpoint: [url] } } })
    expect((await addAgency({ ...bank, endpoint: 'https://www.banque.example' })).status).toBe(200)
  },
)

const notPublic = 'This address is not a public one.'
test.each([
  ['http://wave.example.com/pay', url],
  ['ftp://wave.example.com/pay', url],
  ['wave.example.com', url],
  ['https://user:secret@93.184.216.34/', url],
  ['https://user@93.184.216.34/', url],
  ['https://localhost/', notPublic],
  ['https://LOCALHOST./', notPublic],
  ['https://portal.localhost/', notPublic],
  ['https://127.0.0.1/', notPublic],
  ['https://127.1/', notPublic],
  ['https://2130706433/', notPublic],
  ['https://0x7f000001/', notPublic],
  ['https://0177.0.0.1/', notPublic],
  ['https://0/', notPublic],
  ['https://10.1.2.3/', notPublic],
  ['https://172.16.0.1/', notPublic],
  ['https://192.168.1.1/', notPublic],
  ['https://100.64.0.1/', notPublic],
  ['https://169.254.169.254/latest/meta-data/', notPublic],
  ['https://[::1]/', notPublic],
  ['https://[::]/', notPublic],
  ['https://[::127.0.0.1]/', notPublic],
  ['https://[::ffff:127.0.0.1]/', notPublic],
  ['https://[::ffff:10.0.0.1]/', notPublic],
  ['https://[64:ff9b::a00:1]/', notPublic],
  ['https://[64:ff9b:1::a00:1]/', notPublic],
  ['https://[fe80::1]/', notPublic],
  ['https://[fec0::1]/', notPublic],
  ['https://[fd00::1]/', notPublic],
  ['https://db/', notPublic],
  ['https://db.internal/', notPublic],
  ['https://db.internal./', notPublic],
  ['http://127.0.0.1:1/', url],
])('an agency cannot live at %s', async (endpoint, sentence) => {
  const refused = await addAgency({ endpoint })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual({ endpoint: [sentence] })
})

test('an administrator in production may only use agency addresses that the operator allows', async () => {
  const rules = { agencyHosts: ['93.184.216.34', '127.0.0.1:8081'], loopbackAllowed: false, listOnly: true }
  expect(await endpointFault('https://93.184.216.34/pay', rules)).toBeNull()
  expect(await endpointFault('https://93.184.216.35/pay', rules)).toBe('endpoint_not_allowed')
  expect(await endpointFault('http://127.0.0.1:8081/', rules)).toBe('endpoint_url')
  expect(await endpointFault('https://127.0.0.1:8081/', rules)).toBe('endpoint_private')
  expect(await endpointFault('https://[2606:4700::1111]/', { ...rules, listOnly: false })).toBeNull()
})

test('an administrator’s agency that answers with a redirect is not followed', {
  timeout: 60_000,
}, async () => {
  let followed = 0
  const trap = createServer((request, response) => {
    if (request.url?.startsWith('/inside')) followed += 1
    response.writeHead(307, { location: '/inside' }).end()
  }).listen(0, '127.0.0.1')
  await once(trap, 'listening')
  const host = `127.0.0.1:${(trap.address() as { port: number }).port}`
  portal.settings.agencyHosts.push(host)
  expect((await addAgency({ name: 'Redirects', endpoint: `http://${host}` })).status).toBe(200)
  const {
    rows: [agency],
  } = await portal.owner.query("select id from transfer_agencies where name = 'Redirects'")
  const id = await imported('Redirected', [recipient(1)], { transfer_agency_id: agency.id })
  await approve(id)
  await progress(id, ({ round }) => round.unknown === 1)
  await progress(id, ({ status }) => status === 'error')
  expect(followed).toBe(0)
  trap.close()
})
