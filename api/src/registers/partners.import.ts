import type { SheetRow } from '@portal/contracts/imports/sheet'
import { partnerFields } from '@portal/contracts/registers/partners.fields'
import { partnersSheet } from '@portal/contracts/registers/partners.sheet'
import { type RawBuilder, sql } from 'kysely'
import { importedColumns, of, storedBy } from '../imports/import-parts.service.ts'
import { readRow } from '../imports/import-sort.service.ts'
import type { CheckedRow, ImportDomain, Stored } from '../imports/imports.service.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import { checkListed, checkSchools, type Schools } from './import-checks.ts'
import { Hints, type Listed, readListed, readSchools } from './lookups.ts'
import { checkPeople, nothingSaid, readPeople, strangersByNow } from './one-person.ts'
import { replaceLinks, updatePersons } from './people-write.ts'

type Known = Schools & { types: Listed }

/** The import of partners. Its key is the e-mail of their person. A person or account with this e-mail is reused. */
export const partnersImport: ImportDomain = {
  kind: 'partners',
  permission: 'partners.import',
  sheet: async () => partnersSheet,
  async open({ db }) {
    const known = {
      schools: await readSchools(db),
      types: await readListed(db, 'partner_type'),
      hints: new Hints(),
    }
    return {
      sheet: partnersSheet,
      check: (reader, rows) => checkRows(reader, known, rows),
      stored: storedPartners,
      spoilt: (tx, importId) => strangersByNow(tx, importId, sql`partners`),
      settle: keepAccountNames,
      insert,
      update,
      link,
    }
  },
}

const imported = importedColumns(partnerFields, sql`r`)
const storedPartners = storedBy(sql`u.email`, {
  alias: 'r',
  tables: sql`partners r join users u on u.id = r.user_id`,
  values: sql`jsonb_build_object('email', u.email, 'first_name', u.first_name, 'last_name', u.last_name,
    'account', case when u.account then 'yes' end, ${imported.values},
    'schools', (select jsonb_agg(s.admin_code) from partner_schools ps join schools s on s.id = ps.school_id where ps.partner_id = r.id))`,
})

/** An import does not change the names of a person with an account, because they maintain them themselves. */
export function keepAccountNames(
  values: CheckedRow['values'],
  { values: stored }: Stored,
): CheckedRow['values'] {
  return stored.account ? { ...values, first_name: null, last_name: null, gender: null } : values
}

async function checkRows(db: Reader, known: Known, rows: SheetRow[]): Promise<CheckedRow[]> {
  const checked = rows.map((row) => checkRow(known, row))
  const emails = checked.flatMap(({ key }) => key ?? [])
  const stored = await storedPartners(db, emails, false)
  // Two rows with one e-mail have the same key, and are compared by it.
  checkPeople(
    checked.map((row) => ({ row, isStored: stored.has(row.key ?? '') })),
    await readPeople(db, emails),
    nothingSaid(),
  )
  return checked
}

function checkRow(known: Known, row: SheetRow): CheckedRow {
  const checked = readRow(partnersSheet, row, 'email')
  checked.key = checked.values.email ?? undefined
  checkListed(checked, 'partner_type', known.types)
  checkSchools(known, checked)
  return checked
}

async function insert(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into users (first_name, last_name, email, type)
    select ${of('first_name')}, ${of('last_name')}, p.key, 'partner' from ${part} order by p."row" on conflict (email) do nothing
  `.execute(tx)
  await sql`
    insert into partners (user_id, ${imported.names})
    select u.id, ${imported.staged} from ${part} join users u on u.email = p.key order by p."row"`.execute(tx)
}

async function update(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  await updatePersons(tx, part, sql`partners`)
  await sql`
    update partners r set ${imported.kept}, version = r.version + 1 from ${part} where r.id = p.subject_id
  `.execute(tx)
}

async function link(tx: Tx, part: RawBuilder<unknown>): Promise<void> {
  const owners = sql`(select p.*, r.id as owner_id from ${part} join users u on u.email = p.key join partners r on r.user_id = u.id) p`
  await replaceLinks(tx, owners, {
    table: sql`partner_schools`,
    owner: sql`partner_id`,
    other: sql`school_id`,
    ids: 'school_ids',
  })
}
