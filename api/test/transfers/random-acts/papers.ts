import { file, pdf } from '../../cases/case-stage.ts'
import { dayFromNow } from '../../cohorts.ts'
import type { World } from './stage.ts'
import { movements } from './truth.ts'

/** A letter of an agency. No two are the same file. */
export const pdfLetter = (n: number) => file(`letter ${n}.pdf`, Buffer.concat([pdf, Buffer.from(`%${n}\n`)]))

/**
 * What a mobile agency says that it paid today, mostly all of it and nothing else. Now and then a line is missing, another amount
 * stands there, or a payment that nobody here knows.
 */
export async function statementOf(world: World, agency: number): Promise<File> {
  const today = dayFromNow(0)
  const all = (await movements(world)).filter((each) => each.agency === agency && each.day === today)
  const lines = all
    .filter(() => !world.chance(0.05))
    .map(({ reference, number, amount }, n) => [
      reference,
      `AG-${agency}-${n}-${reference.slice(0, 8)}`,
      number,
      world.chance(0.03) ? amount + 5 : amount,
      today,
    ])
  if (world.chance(0.2)) lines.push(['', `AG-X-${++world.names}`, '+22370999999', 12_345, today])
  const head = ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Timestamp']
  return new File([[head, ...lines].map((cells) => cells.join(';')).join('\r\n')], 'statement.csv')
}
