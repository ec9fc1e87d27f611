import { sentence } from '@portal/contracts/import-sentences'
import { partnersSheet } from '@portal/contracts/partners.sheet'
import { severalOf } from '@portal/contracts/read-cell'
import type { SheetRow } from '@portal/contracts/sheet'
import { sql } from 'drizzle-orm'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain, Stored, TaskRow } from '../imports/imports.service.ts'
import type { Tx } from '../kit/db.ts'
import {
  given,
  Hints,
  type KnownSchool,
  type Listed,
  locked,
  of,
  readListed,
  readSchools,
  readStored,
  stagedPart,
} from './lookups.ts'
import { replaceLinks, updatePersons } from './people-write.ts'

type Known = { schools: Map<string, KnownSchool>; types: Listed; hints: Hints }

/** Partners, known by the e-mail of their person; a person or account that has it already becomes the partner's. */
export const partnersImport: ImportDomain = {
  kind: 'partners',
  permission: 'partners.import',
  sheet: async () => partnersSheet,
  async open({ db }, task) {
    const known = {
      schools: await readSchools(db),
      types: await readListed(db, 'partner_type'),
      hints: new Hints(),
    }
    return {
      sheet: partnersSheet,
      check: async (_, rows) => rows.map((row) => checkRow(known, row)),
      stored: (reader, keys, lock) => readStored(reader, storedPartners(keys, lock)),
      settle: keepAccountNames,
      write: (tx, pile, from, to) => write(tx, task, pile, from, to),
    }
  },
}

const storedPartners = (keys: string[], lock: boolean) => sql`
  select u.email as key, r.id, jsonb_build_object('email', u.email, 'name', r.name, 'first_name', u.first_name, 'last_name', u.last_name,
    'partner_type', r.partner_type, 'partner_since', r.partner_since, 'account', case when u.account then 'yes' end,
    'schools', (select jsonb_agg(s.admin_code) from partner_schools ps join schools s on s.id = ps.school_id where ps.partner_id = r.id)) as values
  from partners r join users u on u.id = r.user_id where u.email = any(${sql.param(keys)}::text[]) ${locked(lock, 'r')}`

/** The names of whoever can sign in are theirs. */
export function keepAccountNames(
  values: CheckedRow['values'],
  { values: stored }: Stored,
): CheckedRow['values'] {
  return stored.account ? { ...values, first_name: null, last_name: null, gender: null } : values
}

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(partnersSheet, row, 'email')
  const { values, errors, more } = checked
  checked.key = values.email ?? undefined
  const { partner_type: type } = values
  const code = type ? known.types.find(type) : null
  if (code === undefined)
    errors.push({
      column: 'partner_type',
      value: type ?? null,
      message: sentence('not_listed', type ?? '', known.types.codes().join(', ')),
    })
  else values.partner_type = code
  const schools = severalOf(values.schools)
  const unknown = schools.find((one) => !known.schools.has(one))
  if (unknown) {
    const near = known.hints.near(unknown, known.schools.keys())
    const message = near
      ? sentence('school_unknown_near', unknown, near)
      : sentence('school_unknown', unknown)
    errors.push({ column: 'schools', value: values.schools ?? null, message })
  } else if (schools.length > 0) more.school_ids = schools.map((one) => known.schools.get(one)?.id)
  return checked
}

async function write(
  tx: Tx,
  task: TaskRow,
  pile: 'new' | 'changed',
  from: number,
  to: number,
): Promise<void> {
  const part = stagedPart(task, pile, from, to)
  if (pile === 'new') {
    await tx.execute(sql`
      insert into users (first_name, last_name, email, type)
      select ${of('first_name')}, ${of('last_name')}, p.key, 'partner' from ${part} order by p."row" on conflict (email) do nothing`)
    await tx.execute(sql`
      insert into partners (name, user_id, partner_type, partner_since)
      select ${of('name')}, u.id, ${of('partner_type')}, (${of('partner_since')})::date
      from ${part} join users u on u.email = p.key order by p."row"`)
  } else {
    await updatePersons(tx, part, sql`partners`)
    await tx.execute(sql`
      update partners r set name = ${given('name', 'text', sql`r.name`)}, partner_type = ${given('partner_type', 'text', sql`r.partner_type`)},
        partner_since = ${given('partner_since', 'date', sql`r.partner_since`)}, version = r.version + 1
      from ${part} where r.id = p.subject_id`)
  }
  const owners = sql`(select p.*, r.id as owner_id from ${part} join users u on u.email = p.key join partners r on r.user_id = u.id) p`
  await replaceLinks(tx, owners, {
    table: sql`partner_schools`,
    owner: sql`partner_id`,
    other: sql`school_id`,
    ids: 'school_ids',
  })
}
