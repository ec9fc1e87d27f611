import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCommand } from './commands.ts'
import { startPortal } from './portal.ts'

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
