import { expect } from '@playwright/test'
import { asRole } from './calls.ts'
import { row, rows } from './database.ts'
import { emailOf } from './people.ts'
import { bankAccount, bankList } from './workbooks.ts'

type Round = { cohort: number; group: number }
/** Of the one a file was made that the bank does not answer; of the other none yet. */
type Rounds = { filed: Round; waiting: Round }
let made: Promise<Rounds> | undefined

/**
 * Two rounds through a bank, and what waits for a second person: made once in a run, by the calls themselves. After a failed
 * test another process asks for them.
 */
export const bankRounds = (): Promise<Rounds> => (made ??= findOrMake())

const bank = 'Banque du Fleuve'
const amount = 10_500
const unanswered = 'Banque: sans réponse'
const unsent = 'Banque: à envoyer'

async function findOrMake(): Promise<Rounds> {
  const known = await rows<Round & { name: string }>(
    `select c.name, c.id as cohort, g.id as "group" from transfer_cohorts c join transfer_payroll_groups g on g.cohort_id = c.id
     where c.name in ($1, $2)`,
    unanswered,
    unsent,
  )
  const filed = known.find(({ name }) => name === unanswered)
  const waiting = known.find(({ name }) => name === unsent)
  return filed && waiting ? { filed, waiting } : make()
}

async function make(): Promise<Rounds> {
  await rows(
    `update transfer_agencies set status = 'active', details = details || $2::jsonb where name = $1`,
    bank,
    JSON.stringify({
      payer_name: 'Programme des bourses',
      payer_account: bankAccount,
      payer_bank: 'BDMAMLBA',
    }),
  )
  const cohorts = [await upload(unanswered), await upload(unsent)]
  const [filed, waiting] = await approve(cohorts)
  if (!filed || !waiting) throw new Error('no round was made')
  await asRole('approver', async (post) => {
    await post(`/admin/transfers/cohorts/payroll/${filed.group}/bank-files`, {
      data: { payments: 2, amount: 2 * amount },
    })
  })
  await rows(
    `update payment_attempts a set sent_at = now() - interval '30 days' from transfer_payrolls p
     where p.id = a.payroll_id and p.payroll_group_id = $1`,
    filed.group,
  )
  await rows(
    `with other as (
       insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
       select 'Banque des Rives', description, type, country, fees, endpoint, protocol, details, user_id
       from transfer_agencies where name = $2 returning id)
     insert into cohort_moves (cohort_id, to_agency_id, reason, user_id)
     select $1, other.id, 'Le contrat de la banque prend fin.', u.id from other, users u where u.email = $3`,
    waiting.cohort,
    bank,
    emailOf('officer'),
  )
  return { filed, waiting }
}

/** Uploads a list of two, and returns the id of its cohort once it is in. */
async function upload(name: string): Promise<number> {
  const day = new Date().toISOString().slice(0, 10)
  const ids = await row<{ agency: number; parameter: number }>(
    `select a.id as agency, p.id as parameter from transfer_agencies a, transfer_parameters p
     where a.name = $1 and p.name = 'Monthly grant'`,
    bank,
  )
  const file = await bankList(name, 2)
  await asRole('officer', async (post) => {
    await post('/admin/transfers/cohorts/import', {
      multipart: {
        name,
        description: 'Bourse du mois',
        from: day,
        to: day,
        transfer_agency_id: ids.agency,
        transfer_parameter_id: ids.parameter,
        target_list_file: file,
      },
    })
  })
  const stored = () =>
    row<{ id: number; state: string }>(
      'select c.id, i.state from transfer_cohorts c join imports i on i.id = c.import_id where c.name = $1',
      name,
    )
  await expect.poll(async () => (await stored()).state, { timeout: 30_000 }).toBe('imported')
  return (await stored()).id
}

/** Approves cohorts, and returns their rounds. */
async function approve(cohorts: number[]): Promise<Round[]> {
  const rounds: Round[] = []
  await asRole('approver', async (post) => {
    for (const cohort of cohorts) {
      await post(`/admin/transfers/cohorts/${cohort}/approve`, { data: { action: 'approved' } })
      const group = () =>
        rows<{ id: number }>('select id from transfer_payroll_groups where cohort_id = $1', cohort)
      await expect.poll(async () => (await group()).length, { timeout: 30_000 }).toBe(1)
      rounds.push({ cohort, group: (await group())[0]?.id ?? 0 })
    }
  })
  return rounds
}
