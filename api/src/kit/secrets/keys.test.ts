import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../process/settings.ts'
import { keyRing } from './keys.ts'
import { MissingKey, open, seal, sealedBy, sign, signatureFits } from './seal.ts'

const [first, second, third] = ['first', 'second', 'third'].map(
  (word) => `${word} secret of this portal, 32 characters`,
)
const before = keyRing({ current: first as string })
const during = keyRing({ current: second as string, former: first })
const after = keyRing({ current: second as string })

/** Seals a text like the releases in which keys had no ids. */
function sealedBefore(secret: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const key = Buffer.from(hkdfSync('sha256', secret, 'portal', 'seal', 32))
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
}

test('what was sealed carries the id of its key, and opens with that key only', () => {
  const sealed = seal(before, 'a child’s case')
  expect(sealedBy(sealed)).toBe(before.current.id)
  expect(open(before, sealed)).toBe('a child’s case')
  expect(open(during, sealed)).toBe('a child’s case')
  expect(sealedBy(seal(during, 'x'))).toBe(after.current.id)
  expect(() => open(after, sealed)).toThrow(MissingKey)
  expect(() => open(after, sealed)).toThrow(
    `the key ${before.current.id}, which this process does not have: set`,
  )
})

test('machines that still have the former secret as their current one open what the new secret sealed', () => {
  const waiting = keyRing({ current: first as string, next: second })
  expect(open(waiting, seal(during, 'x'))).toBe('x')
  expect(sealedBy(seal(waiting, 'x'))).toBe(before.current.id)
})

test('what an earlier release sealed opens with the oldest secret', () => {
  const sealed = sealedBefore(first as string, 'a draft')
  expect(sealedBy(sealed)).toBeNull()
  expect([open(before, sealed), open(during, sealed)]).toEqual(['a draft', 'a draft'])
  expect(() => open(after, sealed)).toThrow('authenticate')
})

test('a value that somebody changed does not open, also under another key id', () => {
  const sealed = seal(during, 'x')
  for (const at of [5, 10, 30]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => open(during, changed)).toThrow()
  }
})

test('signatures of the former secret count while it is set, for their purpose and text only', () => {
  const signature = sign(before, 'xsrf', 'text')
  expect(signatureFits(during, 'xsrf', 'text', signature)).toBe(true)
  expect(signatureFits(during, 'xsrf', 'text', signature.subarray(4))).toBe(true)
  const refused = [
    signatureFits(after, 'xsrf', 'text', signature),
    signatureFits(during, 'audit', 'text', signature),
    signatureFits(during, 'xsrf', 'other', signature),
    signatureFits(during, 'xsrf', 'text', Buffer.concat([signature.subarray(0, 4), signature])),
    signatureFits(during, 'xsrf', 'text', Buffer.alloc(0)),
  ]
  expect(refused).toEqual([false, false, false, false, false])
})

const folder = mkdtempSync(join(tmpdir(), 'portal-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const fileWith = (text: string) => {
  const file = join(folder, randomBytes(4).toString('hex'))
  writeFileSync(file, text)
  return file
}
const read = (env: Record<string, string>) =>
  readSettings({ DATABASE_URL: 'postgresql://a:b@localhost/c', PORTAL_DEMO: 'false', ...env })

test('an operator gives secrets as files, without the line end that an editor adds', () => {
  const { DATABASE_URL: _, ...given } = {
    DATABASE_URL: '',
    DATABASE_URL_FILE: fileWith('postgresql://portal:pw@db/portal\r\n'),
    PORTAL_SECRET_FILE: fileWith(`${second}\n`),
    PORTAL_SECRET_FORMER_FILE: fileWith(first as string),
    SMTP_URL_FILE: fileWith('smtp://portal:pw@mail\n'),
  }
  const settings = readSettings({ PORTAL_DEMO: 'false', ...given })
  expect(settings).toMatchObject({
    databaseUrl: 'postgresql://portal:pw@db/portal',
    smtpUrl: 'smtp://portal:pw@mail',
  })
  expect([settings.secret.current.id, settings.secret.oldest.id]).toEqual([
    after.current.id,
    before.current.id,
  ])
})

test.each<[string, Record<string, string>, string]>([
  [
    'both',
    { PORTAL_SECRET: first as string, PORTAL_SECRET_FILE: '/run/secret' },
    'PORTAL_SECRET and PORTAL_SECRET_FILE are both set: set one of them.',
  ],
  [
    'a file that is not there',
    { PORTAL_SECRET_FILE: join(folder, 'none') },
    'none, which cannot be read (ENOENT): name a file that this account may read.',
  ],
  ['an empty file', { PORTAL_SECRET_FILE: fileWith('\n') }, 'which is empty: write the secret into it.'],
  ['a short secret', { PORTAL_SECRET_FILE: fileWith('short') }, 'PORTAL_SECRET has at least 32 characters.'],
  [
    'the same secret twice',
    { PORTAL_SECRET: first as string, PORTAL_SECRET_FORMER: first as string },
    'PORTAL_SECRET_FORMER is the same as PORTAL_SECRET: leave it away.',
  ],
  [
    'two changes at once',
    {
      PORTAL_SECRET: first as string,
      PORTAL_SECRET_FORMER: second as string,
      PORTAL_SECRET_NEXT: third as string,
    },
    'PORTAL_SECRET_NEXT and PORTAL_SECRET_FORMER are both set',
  ],
])('an operator who sets %s reads what to do', (_what, env, sentence) => {
  expect(() => read(env)).toThrow(sentence)
})
