import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Answer, Client } from '../../client.ts'
import { addPeople } from '../../people.ts'
import { type Account, type Portal, startPortal } from '../../portal.ts'
import { Random } from '../../random.ts'
import { type Agency, startAgency } from '../agencies/agency.ts'
import { copyAgency } from '../agencies/copied.ts'
import { addBank, startBank } from '../banks/bank.ts'

export type Person = Client & { user: Account }
type Method = 'GET' | 'POST' | 'PUT'
type Fields = Parameters<Client['upload']>[1]
/** A call that somebody made in a story, with its answer. */
export type Call = { role: string; method: Method; path: string; body: unknown; answer: Answer }
export type World = Awaited<ReturnType<typeof startWorld>>

/** A mobile agency of the story: its number in the portal and its simulator. */
type Mobile = { id: number; agency: Agency }

/** Girls of the register. The last six have guardians, so that a list can be chosen of them. */
export const girls = 46
const withGuardian = 40

async function startAgencies() {
  const [first, other, bank] = await Promise.all([startAgency(), startAgency(), startBank()])
  onTestFinished(async () => {
    await Promise.all([first.close(), other.close(), bank.close()])
  })
  return { first, other, bank }
}

/** Several people of each role, because one may not decide on what she has proposed. */
async function peopleOf(portal: Portal): Promise<Record<string, Person[]>> {
  const several = async (role: string, count: number) => {
    const people: Person[] = []
    for (let n = 0; n < count; n++) people.push(await portal.signedInAs(role))
    return people
  }
  return {
    officer: await several('Transfer Officer', 2),
    approver: await several('Transfer Approver', 3),
    admin: await several('Administrator', 3),
    auditor: await several('Auditor', 1),
  }
}

async function addGuardians({ owner }: Portal): Promise<void> {
  await owner.query(
    `with one as (select s.id, row_number() over (order by s.id) as n from students s),
      wanted as (select * from one where n > $1),
      u as (insert into users (first_name, last_name) select 'Mariam', 'Keïta ' || n from wanted returning id, last_name),
      p as (insert into parents (user_id, parent_assigned_id, contact_1)
        select id, last_name, '+22378' || lpad(right(last_name, 2), 4, '0') || case when right(last_name, 2)::int % 3 = 0 then '02' else '10' end from u
        returning id, parent_assigned_id)
    insert into parent_students (parent_id, student_id)
      select p.id, w.id from p join wanted w on p.parent_assigned_id = 'Keïta ' || w.n`,
    [withGuardian],
  )
}

/** A second parameter, with amounts of which the fee is rounded, several times a month. */
async function addParameter(admin: Person): Promise<void> {
  const made = await admin.post('/admin/transfers/parameter', {
    name: 'Odd amounts',
    description: 'Fees that are rounded',
    commission: 1.37,
    amount: 9_999,
    frequency: 2,
    currency: 'XOF',
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
}

/** The programme of one story: a portal with its worker, two mobile agencies and a bank, and the people who act. */
export async function startWorld(seed: number) {
  const random = new Random(seed)
  const { first, other, bank } = await startAgencies()
  const folder = mkdtempSync(join(tmpdir(), 'portal-story-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const portal = await startPortal({ agencyHosts: [first.host, other.host] })
  await addPeople(portal.db, girls, first.url)
  await portal.owner.query("update users set gender = 'female' where type = 'student'")
  await portal.owner.query(
    "insert into reference_values (list, code, en, fr) values ('class_level', '7', 'Year 7', '7e année')",
  )
  await addGuardians(portal)
  const second = await copyAgency(portal, 'Second', { endpoint: other.url })
  const bankId = await addBank(portal)
  const people = await peopleOf(portal)
  await addParameter(people.admin?.[2] as Person)
  await portal.worker()
  const mobiles: Mobile[] = [
    { id: 1, agency: first },
    { id: second, agency: other },
  ]
  const calls: Call[] = []
  const pick = <T>(from: readonly T[]): T => from[random.between(0, from.length - 1)] as T

  /** Makes a call and keeps it for the judge. Whoever was signed out signs in again first. */
  async function made(
    role: string,
    who: Person,
    method: Method,
    path: string,
    body?: unknown,
    form?: Fields,
  ) {
    const send = () => (form ? who.upload(path, form) : who.send(method, path, body))
    const answer = await send()
    calls.push({ role, method, path, body: body ?? form, answer })
    return answer
  }
  /** Mostly somebody whose work it is, and now and then anybody. */
  const somebody = (role: string): [string, Person] => {
    const real = random.chance(0.06) ? pick(Object.keys(people)) : role
    return [real, pick(people[real] as Person[])]
  }
  return {
    seed,
    random,
    portal,
    owner: portal.owner,
    mobiles,
    bank,
    bankId,
    people,
    calls,
    /** What happened, in words. */
    log: [] as string[],
    /** How many lists, reasons and files were made, so that each has a name of its own. */
    names: 0,
    pick,
    chance: (share: number) => random.chance(share),
    between: (min: number, max: number) => random.between(min, max),
    call: (role: string, method: Method, path: string, body?: unknown) => {
      const [real, who] = somebody(role)
      return made(real, who, method, path, body)
    },
    send: (role: string, path: string, form: Fields) => {
      const [real, who] = somebody(role)
      return made(real, who, 'POST', path, undefined, form)
    },
    /** The same by one person. */
    callBy: made,
    /** Reads what somebody sees; it is no act. */
    read: async (path: string, who: Person = people.auditor?.[0] as Person) => (await who.get(path)).body,
    /** One of the rows that the database has, by chance; null without any. */
    // biome-ignore lint/suspicious/noExplicitAny: rows of many tables
    async one(text: string, values: unknown[] = []): Promise<any> {
      const { rows } = await portal.owner.query(text, values)
      return rows.length > 0 ? pick(rows) : null
    },
    rows: async (text: string, values: unknown[] = []) => (await portal.owner.query(text, values)).rows,
  }
}
