import { afterAll, expect, test } from 'vitest'
import { changeAgency, recipient, startStage } from '../../cohorts.ts'
import { linesAt, mailsTo } from '../../letters/notices.ts'
import { startPortal, until } from '../../portal.ts'
import { startAgency } from './agency.ts'

const stage = await startStage(30)
const { portal, agency, officer, imported, approve, cohort, progress } = stage
const elsewhere = await startAgency()
afterAll(() => elsewhere.close())
portal.settings.agencyHosts.push(elsewhere.host)
const [one, other] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
await portal.worker()
const details = JSON.stringify({ protocol: 'sandbox', token: 'open-sesame' })
const agencyOf = async (client: Pick<typeof other, 'get'> = other) =>
  (await client.get('/admin/transfers/settings')).body.agencies.find(({ id }: { id: number }) => id === 1)
const decide = (client: Pick<typeof one, 'post'>, id: number, action: string, fields = {}) =>
  client.post(`/admin/transfers/agency/changes/${id}/decide`, { action, ...fields })
const propose = (body: object) => one.put('/admin/transfers/agency/1', body)

test('an administrator’s change of an agency takes effect when another administrator has compared and confirmed it', async () => {
  const proposed = await propose({ endpoint: elsewhere.url, details })
  expect(proposed).toMatchObject({
    status: 202,
    body: { message: 'The change is proposed. It holds once another person confirms it.' },
  })
  // Whoever has to look at it is told, and she who proposed it is not.
  const told = async (who: Parameters<typeof linesAt>[0]) =>
    (await linesAt(who, '/admin/transfers/settings')).filter((line) => line.includes('second person'))
  expect(await told(other)).toHaveLength(1)
  expect(await told(one)).toEqual([])
  const waiting = await agencyOf()
  expect(waiting).toMatchObject({
    endpoint: agency.url,
    change: {
      user_id: one.user.id,
      old: { endpoint: agency.url, credentials: {} },
      new: { endpoint: elsewhere.url, credentials: { token: expect.stringMatching(/^[0-9a-f]{12}$/) } },
    },
  })
  expect((await propose({ endpoint: elsewhere.url, details })).status).toBe(409)
  const own = await decide(one, waiting.change.id, 'confirmed')
  expect(own).toMatchObject({
    status: 403,
    body: { message: 'You proposed this change, so somebody else must confirm it.' },
  })
  expect((await decide(officer, waiting.change.id, 'confirmed')).status).toBe(403)
  expect((await decide(other, waiting.change.id, 'perhaps')).status).toBe(422)

  const confirmed = await Promise.all([
    decide(other, waiting.change.id, 'confirmed'),
    decide(other, waiting.change.id, 'confirmed'),
  ])
  expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await agencyOf()).toMatchObject({ endpoint: elsewhere.url, secrets: ['token'], change: null })
  expect((await decide(other, 99_999, 'confirmed')).status).toBe(404)

  const { rows } = await portal.owner.query(
    `select a.event, a.user_id::int, v.old_values->>'endpoint' as old, v.new_values->>'endpoint' as new,
       v.new_values->'credentials'->>'token' as token
     from audits a join audit_values v on v.audit_id = a.id where a.auditable_type = 'agency' order by a.id`,
  )
  const values = { old: agency.url, new: elsewhere.url, token: waiting.change.new.credentials.token }
  expect(rows).toEqual([
    { event: 'change proposed', user_id: one.user.id, ...values },
    { event: 'change confirmed', user_id: other.user.id, ...values },
  ])
})

test('an administrator who signed in long ago enters her password again before she changes an agency', async () => {
  const long = await portal.signedInAs('Administrator')
  await portal.owner.query(
    "update sessions set created_at = now() - interval '6 minutes' where user_id = $1",
    [long.user.id],
  )
  const needsPassword = { status: 403, body: { reauthenticate: true } }
  expect(await long.put('/admin/transfers/agency/1', { endpoint: agency.url, details })).toMatchObject(
    needsPassword,
  )
  expect(await decide(long, 1, 'confirmed')).toMatchObject(needsPassword)
})

test('an administrator who changes an agency’s address must enter its credentials again', async () => {
  // If it stands there already, nothing changes.
  await changeAgency(portal, 1, { endpoint: elsewhere.url, details })
  const refused = await propose({ endpoint: agency.url })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { 'details.token': ['Fill in this field.'] } },
  })
  expect((await propose({ endpoint: agency.url, details: '{"protocol": "sandbox"}' })).status).toBe(422)
  expect((await propose({ endpoint: 'https://10.0.0.1/pay', details })).status).toBe(422)
  expect((await propose({ details })).body.message).toBe(
    'This is what the agency has already; nothing would change.',
  )
})

test('an administrator who enters credentials under any name finds none of them again, and enters them anew for another address', async () => {
  const names = ['pwd', 'jeton', 'clé', 'cle', 'mot_de_passe', 'Passwort', 'sésame']
  const hidden = {
    ...Object.fromEntries(names.map((name) => [name, `hush-${name}`])),
    // An open name does not open what stands below it.
    rate: { pwd: 'hush-below' },
    progress_minutes: [{ pwd: 'hush-in-a-list' }],
  }
  const open = { protocol: 'sandbox', concurrency: 4, account: '77', number_prefixes: ['70', '76'] }
  const form = { description: 'By hand', type: 'mobile_money', country: 'ml', fees: 1 }
  for (const [name, given] of Object.entries({
    Sealed: { ...open, ...hidden },
    Bare: { protocol: 'sandbox' },
  })) {
    const body = { name, endpoint: agency.url, details: JSON.stringify(given), ...form }
    expect((await one.post('/admin/transfers/agency', body)).status).toBe(200)
  }
  const settings = (await one.get('/admin/transfers/settings')).body
  const [sealed, bare] = ['Sealed', 'Bare'].map((wanted) =>
    settings.agencies.find(({ name }: { name: string }) => name === wanted),
  )
  expect(sealed).toMatchObject({ details: open, secrets: Object.keys(hidden) })
  const { rows } = await portal.owner.query(
    'select string_agg(a::text, $1) as all from transfer_agencies a',
    [' '],
  )
  expect(JSON.stringify(settings) + rows[0].all).not.toContain('hush')
  for (const [{ id }, field] of [
    [sealed, 'details.pwd'],
    [bare, 'details'],
  ] as const) {
    const moved = await one.put(`/admin/transfers/agency/${id}`, { endpoint: elsewhere.url })
    expect(moved).toMatchObject({ status: 422, body: { errors: { [field]: ['Fill in this field.'] } } })
  }
})

test('when an administrator rejects a change, nothing changes and another one can be proposed', async () => {
  await propose({ endpoint: agency.url, details })
  const { change } = await agencyOf()
  expect((await decide(other, change.id, 'refused')).status).toBe(200)
  expect((await decide(other, change.id, 'confirmed')).status).toBe(409)
  expect(await agencyOf()).toMatchObject({ endpoint: elsewhere.url, change: null })
  expect((await changeAgency(portal, 1, { endpoint: agency.url, details })).status).toBe(200)
})

test('nobody can propose or confirm a new address for an agency while outcomes of its payments are unknown', {
  timeout: 60_000,
}, async () => {
  await propose({ endpoint: elsewhere.url, details })
  const { change } = await agencyOf()
  await agency.set({ latency_ms: 0, unreachable: false, lost_reply_percent: 0 })
  // Numbers ending in 05 are pending at the agency for three seconds.
  const id = await imported(
    'Open',
    [1, 2, 3].map((n) => recipient(n, { lastTwo: 5 })),
  )
  await approve(id)
  await until(async () => (await agencyOf()).open_outcomes === 3)
  const refused = await decide(other, change.id, 'confirmed')
  expect(refused).toMatchObject({
    status: 409,
    body: {
      message:
        'Open outcomes at "Sandbox": 3. Its address and account cannot change before they are settled.',
    },
  })
  expect((await agencyOf()).open_outcomes).toBe(3)
  expect((await propose({ endpoint: elsewhere.url, details })).status).toBe(409)
  await progress(id, ({ round }) => round?.success === 3)
  expect(await elsewhere.ledger()).toEqual([])
  expect((await decide(other, change.id, 'confirmed')).status).toBe(200)
  // A person who proposed the address cannot approve a list that is paid there.
  const next = await imported('Next', [recipient(4)])
  const barred = await one.post(`/admin/transfers/cohorts/${next}/approve`, { action: 'approved' })
  expect(barred).toMatchObject({
    status: 403,
    body: { message: 'You set up or changed the agency of this cohort, so somebody else must decide on it.' },
  })
  expect((await cohort(next)).status).toBe('pending')
})

test('nobody changes an agency’s address with only the application’s database role', async () => {
  const app = portal.db.pool
  await expect(
    app.query("update transfer_agencies set endpoint = 'https://x.example'"),
  ).rejects.toMatchObject({
    code: '42501',
  })
  await expect(app.query('select move_demo_agency($1)', ['http://127.0.0.1:1'])).resolves.toBeTruthy()
  expect((await agencyOf()).endpoint).toBe(elsewhere.url)
  const { rows } = await app.query('select max(id) as id from transfer_agency_changes')
  await expect(
    app.query("update transfer_agency_changes set endpoint = 'https://x.example' where id = $1", [
      rows[0].id,
    ]),
  ).rejects.toMatchObject({ code: '23514' })
})

test('nobody changes an agency’s address while sending is held, because the portal asks the old address about its orders', async () => {
  await portal.owner.query(
    "insert into sending_holds (reasons, known_until) values ('{behind}', now() - interval '1 hour')",
  )
  const refused = await propose({ endpoint: agency.url, details })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'No payments are being sent at all. Sending must be released first.',
  ])
  await portal.owner.query(
    'update sending_holds set released_at = now(), released_by = $1 where released_at is null',
    [other.user.id],
  )
})

test('without four eyes an administrator may confirm a change that she proposed', async () => {
  const demo = await startPortal({ agencyHosts: [agency.host], fourEyes: false })
  const alone = await demo.signedInAs('Administrator')
  await alone.post('/admin/transfers/agency', {
    name: 'Demo',
    description: 'Mobile money',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: agency.url,
    details: '{"protocol": "sandbox"}',
  })
  await alone.put('/admin/transfers/agency/1', { details: '{"protocol": "sandbox", "concurrency": 3}' })
  expect((await decide(alone, 1, 'confirmed')).status).toBe(200)
  expect((await agencyOf(alone)).details).toEqual({ protocol: 'sandbox', concurrency: 3 })
})

test('an administrator withdraws her own change of an agency, and nothing of it is kept waiting', async () => {
  const before = await agencyOf()
  expect(before.change).toBeNull()
  const proposed = await propose({
    endpoint: elsewhere.url,
    details: JSON.stringify({ protocol: 'sandbox', token: 'other' }),
  })
  expect(proposed.status).toBe(202)
  const { change } = await agencyOf()
  const withdraw = (who: Pick<typeof one, 'post'>) =>
    who.post(`/admin/transfers/agency/changes/${change.id}/withdraw`)
  expect(await withdraw(other)).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this change/) },
  })
  expect((await withdraw(officer)).status).toBe(403)
  const answers = await Promise.all([withdraw(one), withdraw(one)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(other, change.id, 'confirmed')).status).toBe(409)
  expect(await agencyOf()).toEqual(before)
  const { rows } = await portal.owner.query(
    "select event from audits where auditable_type = 'agency' and auditable_id = 1 order by id desc limit 2",
  )
  expect(rows.map(({ event }) => event)).toEqual(['change withdrawn', 'change proposed'])
})

test('administrators are not asked any more about a change of an agency once somebody decided on it, or took it back', async () => {
  const third = await portal.signedInAs('Administrator')
  const asked = async (...people: Parameters<typeof linesAt>[0][]) =>
    Promise.all(
      people.map(
        async (who) =>
          (await linesAt(who, '/admin/transfers/settings')).filter((line) => line.includes('second person'))
            .length,
      ),
    )
  const ends = [
    (id: number) => decide(other, id, 'refused'),
    (id: number) => one.post(`/admin/transfers/agency/changes/${id}/withdraw`),
    (id: number) => decide(other, id, 'confirmed'),
  ]
  for (const [n, end] of ends.entries()) {
    const next = JSON.stringify({ protocol: 'sandbox', token: 'open-sesame', concurrency: 5 + n })
    expect((await propose({ details: next })).status).toBe(202)
    expect(await asked(one, other, third, officer)).toEqual([0, 1, 1, 0])
    expect((await end((await agencyOf()).change.id)).status).toBe(200)
    expect(await asked(one, other, third, officer)).toEqual([0, 0, 0, 0])
  }
  expect((await mailsTo(portal, third))[0]).toMatch(/attend une seconde personne/)
})

test('an administrator whose status is refused has proposed no change with it either', async () => {
  const { rows } = await portal.owner.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, status, user_id)
     values ('Half', 'Half', 'mobile_money', 'ml', 1, $1, 'wave', '{"protocol": "wave", "wallet": "W"}', 'inactive', $2)
     returning id::int`,
    [agency.url, one.user.id],
  )
  const { id } = rows[0]
  const both = { status: 'active', endpoint: elsewhere.url, details }
  const refused = await one.put(`/admin/transfers/agency/${id}`, both)
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('api_key') } })
  const { agencies } = (await other.get('/admin/transfers/settings')).body
  expect(agencies.find((each: { id: number }) => each.id === id)).toMatchObject({
    status: 'inactive',
    change: null,
  })
})
