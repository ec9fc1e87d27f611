import { permissions } from '@portal/contracts/permissions'
import { makeDemo } from '../../src/demo/demo.service.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { file, pdf, png } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { headings } from '../cohorts.ts'
import { declared, meal } from '../modules/meal-stage.ts'
import { release } from '../modules/modules.ts'
import type { Portal } from '../portal.ts'
import { sheetFile } from '../registers/registers.ts'

/** A demo, with a module that keeps records. */
export async function fillStage(portal: Portal, agencyUrl: string) {
  await makeDemo(portal.context, { agencyUrl })
  await release(portal.context.registry, declared('1.0.0', true))
  await followModules(portal.context)()
}

export type Who = { name: string; client: Client }

/** The people who call. Two of them may do everything, because one may not decide on what she has proposed. */
export async function peopleOf(portal: Portal): Promise<Who[]> {
  const all = [...permissions, meal]
  const [first, second] = [await portal.signedIn(...all), await portal.signedIn(...all)]
  // The cases that are open are theirs.
  await portal.owner.query(
    `update cases set assigned_id = case id % 2 when 0 then $1::bigint else $2 end where status not in ('resolved', 'rejected')`,
    [first.user.id, second.user.id],
  )
  const roles = [
    'Transfer Officer',
    'Transfer Approver',
    'School Officer',
    'Case Reviewer',
    'Auditor',
    'Administrator',
  ]
  const others = await Promise.all(
    roles.map(async (name) => ({ name, client: (await portal.signedInAs(name)) as Client })),
  )
  return [
    ...Array.from({ length: 8 }, () => ({ name: 'the first with every permission', client: first })),
    ...Array.from({ length: 5 }, () => ({ name: 'the second with every permission', client: second })),
    ...others,
    { name: 'a visitor', client: await portal.visitor() },
  ]
}

/** Files that a form may have: lists of the right kind and what people choose by mistake. */
export async function filesOf(portal: Portal, admin: Client) {
  const { rows: girls } = await portal.owner.query(
    'select student_code from students order by id desc limit 12',
  )
  const cells = girls.map(({ student_code }, n) => [
    'Awa',
    `Coulibaly ${n}`,
    `+223701234${10 + n}`,
    student_code,
    null,
  ])
  const { rows: paid } = await portal.owner.query(
    `select reference, external_trx_id, receiver_phone_number, amount, updated_at::date::text as day from transfer_payrolls
     where status = 'success' order by id desc limit 5`,
  )
  const samples: Record<string, File> = {}
  for (const kind of ['locations', 'schools', 'partners', 'teachers', 'students', 'parents', 'attendance']) {
    const { bytes, status } = await admin.get(`/storage/samples/${kind}.xlsx`)
    if (status === 200) samples[kind] = file(`${kind}.xlsx`, bytes)
  }
  const statement = [
    'Reference,Transaction,Number,Amount,Fee,Date',
    ...paid.map((one) =>
      [one.reference, one.external_trx_id, one.receiver_phone_number, one.amount, 1, one.day].join(','),
    ),
  ].join('\n')
  const wrong = [
    file('empty.xlsx', Buffer.alloc(0)),
    file('a.xlsx', Buffer.from('text')),
    file('x.pdf', pdf),
    file('é"x.png', png(2, 2)),
  ]
  const right = (field: string, n: number): File => {
    if (field === 'target_list_file')
      return sheetFile([headings, ...cells.slice(0, 1 + (n % 12))], `list ${n % 3}.xlsx`)
    if (field === 'statement_file') return file('statement.csv', Buffer.from(statement), 'text/csv')
    const kind = Object.keys(samples).find((name) => field.includes(name))
    return (
      (kind && samples[kind]) ||
      (n % 2 ? file('letter.pdf', pdf, 'application/pdf') : file('photo.png', png(3, 3), 'image/png'))
    )
  }
  return (field: string, n: number): File =>
    n % 8 === 0 ? (wrong[(n / 8) % wrong.length] as File) : right(field, n)
}
