import { firstAccount } from './registers.ts'
import type { Filling, Nation } from './size.ts'

const events = [
  'updated',
  'updated',
  'updated',
  'created',
  'opened',
  'searched',
  'signed in',
  'signed out',
  'downloaded',
  'exported',
]
const types = [
  'student',
  'student',
  'student',
  'parent',
  'school',
  'teacher',
  'user',
  'case',
  'import',
  'cohort',
]
const oneOf = (words: readonly string[], n: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + ${n} % ${words.length}]`

/** Three years of the log, with values and links. The seals are not the portal's: nothing here verifies them. */
export function auditRows(nation: Nation): Filling[] {
  const { audits, students, accounts } = nation
  const from = `generate_series(1, ${audits}) n`
  return [
    {
      table: 'audits',
      sql: `insert into audits (id, created_at, user_id, ip_address, user_agent, request_id, event, auditable_type, auditable_id,
          values_hash, seal, transaction) overriding system value
        select n, now() - (${audits} - n) * (interval '3 years' / ${audits}), ${firstAccount(nation)} + n * 7919 % ${accounts},
          '10.0.' || n % 200 || '.' || n % 250, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          md5('r' || n), ${oneOf(events, 'n')}, ${oneOf(types, '(n / 10)')}, 1 + n * 104729 % ${students},
          decode(md5('v' || n) || md5('w' || n), 'hex'), decode(md5('s' || n) || md5('t' || n) || '00000000', 'hex'), '3'::xid8
        from ${from.replace('generate_series(1,', 'generate_series(1::bigint,')}`,
    },
    {
      table: 'audit_values',
      sql: `insert into audit_values (audit_id, salt, old_values, new_values)
        select n, decode(md5(n::text), 'hex'), '{"admission_number": "A/1"}', jsonb_build_object('admission_number', 'A/' || n)
        from ${from}`,
    },
    {
      table: 'audit_links',
      sql: `insert into audit_links (position, audit_id, previous, hash)
        select n, n, decode(md5('l' || n - 1) || md5('m' || n - 1), 'hex'), decode(md5('l' || n) || md5('m' || n), 'hex') from ${from}`,
    },
  ]
}
