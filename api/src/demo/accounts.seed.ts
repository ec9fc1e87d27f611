import { sql } from 'kysely'
import { hashPassword } from '../access/passwords.ts'
import type { Tx } from '../kit/database/db.ts'
import type { Settings } from '../kit/process/settings.ts'
import { at, insertAll } from './bulk.ts'
import { dayAfter, momentOf } from './days.ts'

/** The password of every demo account. */
export const demoPassword = 'portal-demo-2026'

type Name = 'admin' | 'officer' | 'approver' | 'school' | 'reviewer' | 'auditor'
type Account = {
  first_name: string
  last_name: string
  gender: string
  user_title: string
  type: string
  role: string
}
/** The ids of the demo accounts' users, by the first part of their e-mail. */
export type Accounts = Record<Name, number>

const accounts: Record<Name, Account> = {
  admin: {
    first_name: 'Aminata',
    last_name: 'Tembely',
    gender: 'female',
    user_title: 'mrs',
    type: 'developer',
    role: 'Administrator',
  },
  officer: {
    first_name: 'Bakary',
    last_name: 'Sissoko',
    gender: 'male',
    user_title: 'mr',
    type: 'partner',
    role: 'Transfer Officer',
  },
  approver: {
    first_name: 'Kadiatou',
    last_name: 'Berthé',
    gender: 'female',
    user_title: 'dr',
    type: 'partner',
    role: 'Transfer Approver',
  },
  school: {
    first_name: 'Modibo',
    last_name: 'Guindo',
    gender: 'male',
    user_title: 'mr',
    type: 'partner',
    role: 'School Officer',
  },
  reviewer: {
    first_name: 'Salimata',
    last_name: 'Dembélé',
    gender: 'female',
    user_title: 'mrs',
    type: 'partner',
    role: 'Case Reviewer',
  },
  auditor: {
    first_name: 'Youssouf',
    last_name: 'Ndiaye',
    gender: 'male',
    user_title: 'mr',
    type: 'partner',
    role: 'Auditor',
  },
}

/** Fictitious partner organisations. The first is the reviewer's; the others have a person who cannot sign in. */
const organisations = [
  { name: 'Collectif Filles en Classe', type: 'ngo', years: 6 },
  {
    name: 'Association Lampe du Soir',
    type: 'association',
    years: 4,
    first_name: 'Coumba',
    last_name: 'Sinayoko',
    gender: 'female',
  },
  {
    name: 'Fondation Baobab Vert',
    type: 'foundation',
    years: 8,
    first_name: 'Tiémoko',
    last_name: 'Fomba',
    gender: 'male',
  },
  {
    name: 'Réseau Terre et Craie',
    type: 'ngo',
    years: 2,
    first_name: 'Sokona',
    last_name: 'Yattabaré',
    gender: 'female',
  },
  {
    name: 'Deggo pour l’École',
    type: 'ngo',
    years: 3,
    first_name: 'Rokhaya',
    last_name: 'Diamanka',
    gender: 'female',
  },
]

/** Writes the six accounts. Each has the shipped role of its name. */
export async function addAccounts(tx: Tx, cost: Settings['passwordCost'], today: string): Promise<Accounts> {
  const names = Object.keys(accounts) as Name[]
  const hashes = await Promise.all(names.map(() => hashPassword(demoPassword, cost)))
  const types = {
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    gender: 'text',
    type: 'text',
    user_title: 'text',
    account: 'boolean',
    password_hash: 'text',
    created_at: 'timestamptz',
  }
  const created_at = momentOf(dayAfter(today, -500))
  const rows = names.map((name, k) => {
    const { role: _, ...person } = accounts[name]
    return {
      ...person,
      email: `${name}@portal.example`,
      account: true,
      password_hash: at(hashes, k),
      created_at,
    }
  })
  const ids = await insertAll(tx, 'users', types, rows)
  for (const [k, name] of names.entries()) {
    const { numAffectedRows } = await sql`
      insert into user_roles (user_id, role_id) select ${at(ids, k)}, id from roles where name = ${accounts[name].role}
    `.execute(tx)
    if (numAffectedRows !== 1n) throw new Error(`There is no role ${accounts[name].role}`)
  }
  return Object.fromEntries(names.map((name, k) => [name, at(ids, k)])) as Accounts
}

/** Writes the partners with their people. Returns the ids of the partners. */
export async function addPartners(tx: Tx, reviewer: number, today: string): Promise<number[]> {
  const people = organisations.slice(1).map(({ first_name, last_name, gender }, k) => ({
    first_name,
    last_name,
    gender,
    type: 'partner',
    email: `contact@partner${k + 1}.example`,
  }))
  const types = { first_name: 'text', last_name: 'text', gender: 'text', type: 'text', email: 'text' }
  const users = [reviewer, ...(await insertAll(tx, 'users', types, people))]
  const rows = organisations.map(({ name, type, years }, k) => ({
    name,
    partner_type: type,
    partner_since: dayAfter(today, -365 * years - 40 * k),
    user_id: at(users, k),
  }))
  return insertAll(
    tx,
    'partners',
    { name: 'text', partner_type: 'text', partner_since: 'date', user_id: 'bigint' },
    rows,
  )
}
