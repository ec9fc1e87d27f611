import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeAt } from '../../src/access/totp.ts'
import { setAuditKey } from '../../src/kit/audit/audit.ts'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { keepAuditEnd } from '../../src/kit/audit/audit-end.ts'
import { keyRing } from '../../src/kit/secrets/keys.ts'
import { open, seal } from '../../src/kit/secrets/seal.ts'
import { sealedPlaces, unsealedColumns } from '../../src/secrets/sealed-places.ts'
import { lettersTo } from '../access/accounts-outbox.ts'
import { asConsultant, caseStage, expert, inviteOf } from '../cases/case-stage.ts'
import { changeAgency, recipient, startStage } from '../cohorts.ts'
import { runCommand, startCommand } from '../commands.ts'
import { untilLocked } from '../locks.ts'
import { password, until } from '../portal.ts'

const stage = await startStage(3)
const { portal, officer } = stage
const { settings, owner, db } = portal
const { reviewer, fileCase } = await caseStage(portal)

const first = readFileSync(join(settings.dataDir, 'secret'), 'utf8')
const second = 'the second secret of this portal, of 32 characters'
const third = 'the third secret of this portal, of 32 characters'

/** The portal's processes end and start with other secrets. */
function restart(secrets: Parameters<typeof keyRing>[0]) {
  settings.secret = keyRing(secrets)
  setAuditKey(settings.secret)
}
const run = (name: string, words: string[], secrets: Record<string, string>) =>
  runCommand(settings, name, words, '', secrets)
const rotate = (secrets: Record<string, string>, ...words: string[]) => run('secret-rotate', words, secrets)
const typed = { values: { title: 'A case of Kayes' }, opened: {} }
const draftOf = async (who: typeof officer) => (await who.get('/drafts?form=POST%20/admin/cases')).body.draft

test('people, agencies and experts notice nothing when an operator changes the secret and throws the former one away', async () => {
  const person = await portal.signedIn()
  const { secret } = (await person.post('/totp')).body
  await person.post('/totp/confirm', { code: codeAt(secret, Date.now()) })
  expect((await officer.put('/drafts', { form: 'POST /admin/cases', ...typed })).status).toBe(200)
  // As an earlier release sealed it, without the id of its key.
  await owner.query('update drafts set content = substring(content from 10)')
  await changeAgency(portal, 1, { details: JSON.stringify({ protocol: 'sandbox', token: 'open-sesame' }) })
  const agencyBefore = (
    await owner.query('select version, updated_at, secrets from transfer_agencies where id = 1')
  ).rows[0]
  const filed = await fileCase()
  expect((await reviewer.upload('/admin/cases/refer', { ...expert, complain_id: filed.id })).status).toBe(200)
  await (await portal.visitor()).post('/password/forgot', { email: person.user.email })
  await linkAudits(db, settings.secret, null)
  expect(await keepAuditEnd(portal.context)).toBeNull()

  // One machine after the other learns the next secret before any seals with it.
  const learnt = await rotate({ PORTAL_SECRET_NEXT: second })
  expect(learnt).toMatchObject({ code: 0, out: expect.stringMatching(/^The database knows the new secret/) })
  restart({ current: first, next: second })
  restart({ current: second, former: first })
  expect(await draftOf(officer)).toMatchObject(typed)
  expect((await officer.put('/drafts', { form: 'POST /later', ...typed })).status).toBe(200)

  const both = { PORTAL_SECRET: second, PORTAL_SECRET_FORMER: first }
  expect((await rotate(both, '--check')).code).toBe(1)
  const sealed = await rotate(both)
  expect(sealed).toMatchObject({ code: 0, err: '' })
  for (const line of [
    '- 1 secrets of one-time codes',
    '- 1 drafts',
    '- 1 credentials of agencies',
    '- 1 proposed changes of agencies',
    '- 1 asked password resets',
  ])
    expect(sealed.out).toContain(line)
  expect((await rotate(both, '--check')).err).toMatch(/^The former secret is still needed/)
  await linkAudits(db, settings.secret, null)
  expect(await keepAuditEnd(portal.context)).toBeNull()
  expect(await rotate(both, '--check')).toMatchObject({
    code: 0,
    out: expect.stringContaining('The former secret is not needed'),
  })

  restart({ current: second })
  await portal.worker()
  const entered = await portal.visitor()
  const credentials = { email: person.user.email, password, code: codeAt(secret, Date.now() + 30_000) }
  expect((await entered.post('/login', credentials)).status).toBe(200)
  expect(await draftOf(officer)).toMatchObject(typed)
  await until(async () =>
    lettersTo(portal, person.user.email).find((text) => text.includes('/password/reset/')),
  )
  const consultant = asConsultant(await portal.visitor(), await inviteOf(portal, filed.number))
  expect((await consultant.read()).status).toBe(200)
  const agencyAfter = (
    await owner.query('select version, updated_at, secrets from transfer_agencies where id = 1')
  ).rows[0]
  expect(agencyAfter).toEqual({ ...agencyBefore, secrets: expect.anything() })
  expect(JSON.parse(open(settings.secret, agencyAfter.secrets))).toEqual({ token: 'open-sesame' })
  const cohort = await stage.imported('Paid after the change', [recipient(1), recipient(2)])
  // She has not used the portal during the change. After a 419 her page reads a new token and repeats the call by itself.
  expect((await stage.approve(cohort)).status).toBe(419)
  await stage.approver.get('/session')
  expect((await stage.approve(cohort)).status).toBe(200)
  await stage.progress(cohort, ({ round }) => round?.success === 2)

  const alone = { PORTAL_SECRET: second }
  expect(await run('audit-verify', [], alone)).toMatchObject({ code: 0, err: '' })
  expect(await run('ledger-verify', [], alone)).toMatchObject({ code: 0, err: '' })
  expect(await run('admin-create', [], { PORTAL_SECRET: first })).toMatchObject({ code: 1 })
  expect((await run('audit-verify', [], { PORTAL_SECRET: first })).err).toMatch(
    /^PORTAL_SECRET .* has been replaced/,
  )
})

test('an operator repeats a change of the secret that was killed, and what was typed meanwhile stays', async () => {
  await owner.query(
    `insert into drafts (session_id, form, content)
     select d.session_id, 'POST /copy/' || lpad(n::text, 4, '0'), d.content from drafts d, generate_series(1, 500) n
     where d.form = 'POST /later'`,
  )
  const ids = async (where = 'true') =>
    (
      await owner.query(
        `select encode(substring(content from 6 for 4), 'hex') as id, count(*)::int from drafts where ${where} group by 1`,
      )
    ).rows
  const both = { PORTAL_SECRET: third, PORTAL_SECRET_FORMER: second }
  const keys = keyRing({ current: third, former: second })
  const last = "form = 'POST /copy/0450'"
  const writer = await owner.connect()

  await writer.query(`begin; select from drafts where ${last} for update`)
  const killed = startCommand(settings, 'secret-rotate', [], both)
  await until(async () => (await ids()).length === 2)
  await untilLocked(owner, { words: 'drafts' })
  killed.kill('SIGKILL')
  await writer.query('rollback')
  expect((await ids(last))[0].id).toBe(settings.secret.current.id)

  restart({ current: third, former: second })
  expect(await draftOf(officer)).toMatchObject(typed)
  await writer.query('begin')
  await writer.query(`update drafts set content = $1 where ${last}`, [seal(keys, 'typed meanwhile')])
  const again = rotate(both)
  await untilLocked(owner, { words: 'drafts' })
  await writer.query('commit')
  writer.release()
  expect(await again).toMatchObject({ code: 0, err: '' })
  expect(await ids()).toEqual([{ id: keys.current.id, count: 502 }])
  const kept = (await owner.query(`select content from drafts where ${last}`)).rows[0].content
  expect(open(keys, kept)).toBe('typed meanwhile')
  await owner.query("delete from drafts where form like 'POST /copy/%'")
})

test('an operator is told of a value that the former secret still seals, and of an entry that nobody may have written since', async () => {
  const former = keyRing({ current: second })
  restart({ current: third })
  await owner.query("update drafts set content = $1 where form = 'POST /later'", [seal(former, '{}')])
  const checked = await rotate({ PORTAL_SECRET: third }, '--check')
  expect(checked).toMatchObject({
    code: 1,
    out: expect.stringContaining(`- 1 drafts: key ${former.current.id}`),
  })

  await linkAudits(db, settings.secret, null)
  expect((await verifyAudits(db, settings.secret)).fault).toBeNull()
  const columns =
    'created_at, user_id, ip_address, user_agent, request_id, event, auditable_type, auditable_id, values_hash, seal'
  const forge = `insert into audits (${columns}) select ${columns} from audits order by id limit 1`
  await expect(owner.query(forge)).rejects.toThrow('or has been replaced')
  await owner.query(`alter table audits disable trigger audit_is_sealed_with_a_known_key; ${forge};
    alter table audits enable trigger audit_is_sealed_with_a_known_key`)
  expect((await verifyAudits(db, settings.secret)).fault).toContain(
    'sealed with a secret that had been replaced',
  )
})

test('every column with bytes is sealed again, or known not to be sealed', async () => {
  const { rows } = await owner.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' order by 1`,
  )
  const sealed = sealedPlaces.map(({ table, sealed }) => sealed.replace(/^t\./, `${table}.`))
  expect([...sealed.filter((name) => !name.includes('(')), ...unsealedColumns].sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  )
})
