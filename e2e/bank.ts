import { row, rows } from './database.ts'
import { test } from './test.ts'
import { bankAccount } from './workbooks.ts'

/** The bank of the demo that takes files. */
export const bank = 'Banque du Fleuve'

type Stored = { status: string; details: object }

/** Lets the bank pay during the journeys of a file: it is active, and its files have an account to pay from. */
export function withBank(): void {
  let before: Stored
  test.beforeEach(async () => {
    before = await row<Stored>('select status, details from transfer_agencies where name = $1', bank)
    const payer = {
      payer_name: 'Programme des bourses',
      payer_account: bankAccount,
      payer_bank: 'BDMAMLBA',
    }
    await rows(
      `update transfer_agencies set status = 'active', details = details || $2::jsonb where name = $1`,
      bank,
      JSON.stringify(payer),
    )
  })
  test.afterEach(() =>
    rows(
      'update transfer_agencies set status = $2, details = $3::jsonb where name = $1',
      bank,
      before.status,
      JSON.stringify(before.details),
    ),
  )
}
