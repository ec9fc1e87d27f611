import { afterAll, expect, test } from 'vitest'
import { changeAgency, listOf, recipient, startStage } from '../../cohorts.ts'
import { startAgency } from './agency.ts'
import { agencyForm } from './agency-form.ts'

const stage = await startStage(30)
const { portal, officer, imported, approve, cohort, progress } = stage
const guarded = await startAgency({ SANDBOX_AGENCY_TOKEN: 'the-real-token' })
afterAll(() => guarded.close())
portal.settings.agencyHosts.push(guarded.host)
const admin = await portal.signedInAs('Administrator')
await portal.worker()
const french = { 'accept-language': 'fr' }
let names = 0

const parameterForm = (fields: object = {}) => ({
  name: `Parameter ${++names}`,
  description: 'Per month',
  commission: 2,
  amount: 10_500,
  currency: 'XOF',
  frequency: 1,
  ...fields,
})
const addAgency = (fields?: object, headers?: Record<string, string>) =>
  admin.post('/admin/transfers/agency', agencyForm(stage.agency.url, fields), headers)
const addParameter = (fields?: object, headers?: Record<string, string>) =>
  admin.post('/admin/transfers/parameter', parameterForm(fields), headers)

test.each<[string, object, Record<string, string>]>([
  [
    'no protocol',
    { details: '{}' },
    { 'details.protocol': 'The protocol is one of: sandbox, wave, gsma, file.' },
  ],
  [
    'an unknown protocol',
    { details: '{"protocol": "telegraph"}' },
    { 'details.protocol': 'The protocol is one of: sandbox, wave, gsma, file.' },
  ],
  [
    'a protocol of the prototype',
    { details: '{"protocol": "constructor"}' },
    { 'details.protocol': 'The protocol is one of: sandbox, wave, gsma, file.' },
  ],
  [
    'a protocol that is a number',
    { details: '{"protocol": 7}' },
    { 'details.protocol': 'The protocol is one of: sandbox, wave, gsma, file.' },
  ],
  [
    'details that are a list',
    { details: '[]' },
    { details: 'Write the details as a JSON object, such as {"protocol": "sandbox"}.' },
  ],
  [
    'details that are a list and no text',
    { details: ['sandbox'] },
    { details: 'Write the details as a JSON object, such as {"protocol": "sandbox"}.' },
  ],
  [
    'details that are an object without a protocol',
    { details: {} },
    { 'details.protocol': 'The protocol is one of: sandbox, wave, gsma, file.' },
  ],
  ['details that are null', { details: null }, { details: 'Fill in this field.' }],
  [
    'details that are no JSON',
    { details: 'protocol=sandbox' },
    { details: 'Write the details as a JSON object, such as {"protocol": "sandbox"}.' },
  ],
  [
    'a Wave wallet without its key',
    { details: { protocol: 'wave', wallet: 'Sikilinso' } },
    { 'details.api_key': 'Fill in this field.' },
  ],
  [
    'a key of Wave with a blank in it',
    { details: { protocol: 'wave', wallet: 'Sikilinso', api_key: 'wave_ml_prod_ab cdef' } },
    {
      'details.api_key': 'Copy it whole, as the agency shows it: at least 16 characters without spaces.',
    },
  ],
  [
    'a GSMA account of no kind',
    { details: { protocol: 'gsma', paying_account: '7001', api_key: 'gsma_ml_prod_abcdef' } },
    {
      'details.paying_account':
        'Write the kind of account and its identifier, such as organisationid:7001. Kinds are organisationid, walletid, accountid and msisdn.',
    },
  ],
  ['an agency type of its own', { type: 'pigeon' }, { type: 'Choose a type.' }],
  ['another country', { country: 'fr' }, { country: 'Choose a country.' }],
  ['fees of letters', { fees: 'much' }, { fees: 'Write a number.' }],
  ['fees with three decimals', { fees: 1.255 }, { fees: 'Write a percentage with at most two decimals.' }],
  ['fees above 100', { fees: 100.01 }, { fees: 'Write a number from 0 to 100.' }],
  ['an empty name', { name: '  ' }, { name: 'Fill in this field.' }],
])('an administrator who adds an agency with %s is told so at the field', async (_, fields, errors) => {
  const refused = await addAgency(fields)
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual(
    Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]])),
  )
})

test('an administrator sends the details of an agency as an object, and proposes others the same way', async () => {
  const details = { protocol: 'sandbox', concurrency: 2, token: 'said-softly' }
  expect((await addAgency({ name: 'An object', details })).status).toBe(200)
  const { agencies } = (await admin.get('/admin/transfers/settings')).body
  const agency = agencies.find(({ name }: { name: string }) => name === 'An object')
  expect(agency).toMatchObject({ details: { protocol: 'sandbox', concurrency: 2 }, secrets: ['token'] })
  const changed = { details: { ...details, concurrency: 3 } }
  expect((await admin.put(`/admin/transfers/agency/${agency.id}`, changed)).body.message).toContain(
    'proposed',
  )
})

test('nobody finds the secret of an agency in a response, an audit row or a column, at any depth', {
  timeout: 60_000,
}, async () => {
  const words = ['hush-token', 'hush-nested', 'hush-list', 'hush-header']
  const details = {
    protocol: 'sandbox',
    concurrency: 4,
    token: words[0],
    wallet: { owner: 'Programme', api_key: words[1] },
    accounts: [{ password: words[2] }],
    authorization: words[3],
  }
  expect(
    (await addAgency({ name: 'Sealed', endpoint: guarded.url, details: JSON.stringify(details) })).status,
  ).toBe(200)
  const settings = await admin.get('/admin/transfers/settings')
  const agency = settings.body.agencies.find(({ name }: { name: string }) => name === 'Sealed')
  expect(agency.details).toMatchObject({ protocol: 'sandbox', concurrency: 4 })
  expect(agency.declares).toEqual({
    abilities: ['ask_by_key', 'ask_by_reference', 'list'],
    key_life_hours: 168,
    repeat_hours: 168,
  })
  expect(agency.secrets.sort()).toEqual(['accounts', 'authorization', 'token', 'wallet'])
  const id = await imported('Wrong token', [recipient(2), recipient(3)], { transfer_agency_id: agency.id })
  await approve(id)
  await progress(id, ({ status }) => status === 'error')
  expect((await cohort(id)).error_reason).toBe('The agency refused our credentials.')
  expect((await cohort(id)).transfer_cohort_stats.total_amount_pending).toBe(21_000)
  const rotated = await changeAgency(portal, agency.id, {
    details: JSON.stringify({ ...details, token: 'the-real-token' }),
  })
  expect(rotated.body.message).toBe('The change is confirmed. The agency is used with it from now on.')
  await approve(id)
  await progress(id, ({ round }) => round.success === 2)
  const logs = await admin.get('/admin/users/audit/logs?per_page=100')
  const { rows: tables } = await portal.owner.query(
    "select tablename from pg_tables where schemaname = 'public'",
  )
  let stored = JSON.stringify([settings.body, logs.body])
  for (const { tablename } of tables)
    stored += JSON.stringify((await portal.owner.query(`select t::text from "${tablename}" t`)).rows)
  for (const word of [...words, 'the-real-token']) {
    expect(stored.includes(word), word).toBe(false)
    expect(stored.includes(Buffer.from(word).toString('hex')), word).toBe(false)
  }
  expect(stored).toContain('Sealed')
})

test.each<[string, object, string, string]>([
  [
    'three decimals of commission',
    { commission: 2.125 },
    'commission',
    'The commission has at most two decimals.',
  ],
  [
    'a commission above 100',
    { commission: 100.01 },
    'commission',
    'The commission is a number from 0 to 100.',
  ],
  ['a negative commission', { commission: -1 }, 'commission', 'The commission is a number from 0 to 100.'],
  ['another currency', { currency: 'EUR' }, 'currency', 'The currency is XOF.'],
  ['half a franc', { amount: 10_500.5 }, 'amount', 'Amounts are whole francs, without decimals.'],
  ['no franc', { amount: 0 }, 'amount', 'The amount is at least 1 franc.'],
  ['a negative amount', { amount: -5 }, 'amount', 'The amount is at least 1 franc.'],
  ['too large an amount', { amount: 2_000_001 }, 'amount', 'The amount is at most 2,000,000 francs.'],
  ['an absurd amount', { amount: 1e300 }, 'amount', 'The amount is at most 2,000,000 francs.'],
  ['an amount of letters', { amount: 'ten' }, 'amount', 'Write a number.'],
  ['a frequency of 0', { frequency: 0 }, 'frequency', 'Write a number from 1 to 31.'],
  ['a frequency of 32', { frequency: 32 }, 'frequency', 'Write a number from 1 to 31.'],
  ['a frequency of one and a half', { frequency: 1.5 }, 'frequency', 'Write a whole number.'],
])(
  'an administrator who adds a parameter with %s reads so at the field',
  async (_, fields, field, sentence) => {
    const refused = await addParameter(fields)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({ [field]: [sentence] })
  },
)

test('an administrator reads the valid values of a parameter as she typed them', async () => {
  const typed = { name: 'As typed', commission: '0.29', amount: '2000000', currency: 'xof', frequency: '31' }
  expect((await addParameter(typed)).body.message).toBe('Transfer parameter created')
  const { body } = await officer.get('/admin/transfers/parameters?search=as+typed')
  expect(body.parameters.data).toMatchObject([
    { commission: 0.29, amount: 2_000_000, currency: 'XOF', frequency: 31, status: 'active' },
  ])
})

test('an administrator reads at the field, in her language, that a name is taken', async () => {
  for (const [path, form] of [
    ['agency', agencyForm(stage.agency.url, { name: 'Twice' })],
    ['parameter', parameterForm({ name: 'Twice' })],
  ] as const) {
    const both = await Promise.all([1, 2].map(() => admin.post(`/admin/transfers/${path}`, form, french)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    const refused = both.find(({ status }) => status === 422)
    expect(refused?.body.errors).toEqual({ name: ['Cette valeur est déjà utilisée.'] })
  }
})

test('nobody activates or uploads for an agency that this portal has no connector for', async () => {
  const { rows } = await portal.owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, status, user_id)
     values ('Operator', 'Not spoken', 'mobile_money', 'ml', 1, 'https://api.operator.example', 'telegraph', '{"protocol": "telegraph"}', 'inactive', $1)
     returning id`,
    [admin.user.id],
  )
  const path = `/admin/transfers/agency/${rows[0].id}`
  const refused = await admin.put(path, { status: 'active' })
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/no connector/) } })
  // One that was activated before this rule takes no list either, and can be deactivated.
  await portal.owner.query(`update transfer_agencies set status = 'active' where id = $1`, [rows[0].id])
  const upload = await stage.upload(listOf(1), { name: 'Operator list', transfer_agency_id: rows[0].id })
  expect(upload.status).toBe(422)
  expect(Object.keys(upload.body.errors)).toEqual(['transfer_agency_id'])
  expect((await admin.put(path, { status: 'inactive' })).status).toBe(200)
})

test('nobody activates a wallet of Wave whose key was never typed', async () => {
  const { rows } = await portal.owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, status, user_id)
     values ('No key', 'No key', 'mobile_money', 'sn', 1, 'https://api.wave.example', 'wave', '{"protocol": "wave", "wallet": "W"}',
       'inactive', $1) returning id`,
    [admin.user.id],
  )
  expect(await admin.put(`/admin/transfers/agency/${rows[0].id}`, { status: 'active' })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('its details lack "api_key"') },
  })
})

test('only administrators change agencies and parameters, and only existing ones', async () => {
  for (const path of ['agency', 'parameter']) {
    expect((await officer.post(`/admin/transfers/${path}`, {})).status).toBe(403)
    expect((await officer.put(`/admin/transfers/${path}/1`, { status: 'inactive' })).status).toBe(403)
    for (const id of ['0', '-1', 'abc', '99999', '99999999999999999'])
      expect((await admin.put(`/admin/transfers/${path}/${id}`, { status: 'active' })).status, id).toBe(404)
    expect((await admin.put(`/admin/transfers/${path}/1`, { status: 'asleep' })).status).toBe(422)
  }
})
