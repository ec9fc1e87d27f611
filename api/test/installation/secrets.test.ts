import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { audit } from '../../src/kit/audit/audit.ts'
import { linkAudits, verifyAudits } from '../../src/kit/audit/audit-chain.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import { hmac } from '../../src/kit/secrets/seal.ts'
import { runCommand } from '../commands.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { settings, owner } = portal
const other = randomBytes(24).toString('hex')
const refusal =
  /^The database does not know the secret with the key [0-9a-f]{8}; its own is [0-9a-f]{8}\. Set this installation's PORTAL_SECRET/

test.each([
  ['main', [], { PORTAL_ROLE: 'api', PORT: '0' }],
  ['main', [], { PORTAL_ROLE: 'worker' }],
  ['admin-create', ['moussa@portal.example', 'Moussa', 'Keita'], {}],
  ['audit-verify', [], {}],
])(
  'an operator who runs %s %j with a secret that the database does not know reads what to do',
  async (name, words, more) => {
    const { code, err } = await runCommand(settings, name, words, 'quiet river stone lamp 91\n', {
      PORTAL_SECRET: other,
      ...more,
    })
    expect([code, err]).toEqual([1, expect.stringMatching(refusal)])
  },
)

test('nobody writes to the audit log with a secret that the database does not know', async () => {
  const forged = `insert into audits (event, auditable_type, values_hash, seal) values ('forged', 'user', '\\x00', '\\x00000000${'00'.repeat(32)}')`
  await expect(owner.query(forged)).rejects.toThrow('the secret of this process is not known to the database')
})

test('an operator upgrades a portal only with the secret that sealed its audit log so far', async () => {
  const { db } = portal
  const write = (id: number) => db.transaction().execute((tx) => audit(tx, system, 'created', 'school', id))
  const asOwner = (statement: string) =>
    owner.query(`begin; set local portal.maintenance = 'on'; ${statement}; commit`)
  // A log of an earlier release: nothing in it carries the id of a key.
  await write(1)
  await asOwner('update audits set seal = substring(seal from 5)')
  await linkAudits(db, settings.secret, null)
  await asOwner('update audit_links set hash = substring(hash from 5)')
  const { hash } = (await owner.query('select hash from audit_links')).rows[0]
  const seal = hmac(settings.secret.current.derive('audit'), `head 1 ${hash.toString('hex')}`).toString('hex')
  await asOwner(
    `update audit_head set hash = '\\x${hash.toString('hex')}', seal = '\\x${seal}'; delete from secret_keys`,
  )

  const wrong = await runCommand(settings, 'audit-verify', [], '', { PORTAL_SECRET: other })
  expect([wrong.code, wrong.err]).toEqual([
    1,
    expect.stringContaining('its own is the one that sealed its audit log.'),
  ])
  const right = await runCommand(settings, 'audit-verify')
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining('holds: 1 linked rows') })
  await write(2)
  await linkAudits(db, settings.secret, null)
  expect(await verifyAudits(db, settings.secret)).toMatchObject({ linked: 2, fault: null })
})
