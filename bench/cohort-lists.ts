import type { Figure } from './figures.ts'
import { inWords, quantiles, timeCall } from './sampler.ts'
import type { Visitor } from './visitor.ts'

const aim = 100
const calls = 20

/** How long each page of the lists of a large cohort takes. */
export async function measureCohortLists(
  visitor: Visitor,
  cohort: number,
  group: number,
  count: number,
): Promise<Figure[]> {
  const last = Math.ceil(count / 15)
  const pages = {
    'first page': 'page=1',
    'page in the middle': `page=${Math.round(last / 2)}`,
    'last page': `page=${last}`,
    'sorted by name': 'sort=receiver_last_name',
    'sorted by name, page in the middle': `sort=receiver_last_name&page=${Math.round(last / 2)}`,
    'search of one': `search=7${String(Math.min(count - 1, 77_777)).padStart(5, '0')}`,
    'search of a tenth': 'search=kadiatou',
    'search of two letters': 'search=ka',
    'by status': 'status=success',
  }
  const lists = {
    'Master list': `/admin/transfers/cohorts/${cohort}/summary`,
    Round: `/admin/transfers/cohorts/payroll/${group}`,
  }
  const figures: Figure[] = []
  for (const [list, path] of Object.entries(lists))
    for (const [name, query] of Object.entries(pages)) {
      for (let n = 0; n < 3; n++) await timeCall(visitor, `${path}?${query}`)
      const times: number[] = []
      for (let n = 0; n < calls; n++) times.push(await timeCall(visitor, `${path}?${query}`))
      const took = quantiles(times)
      figures.push({
        figure: `${list} of ${count.toLocaleString('en-US')}, ${name}`,
        measured: inWords(took),
        aim: `≤ ${aim} ms`,
        holds: took.p50 <= aim,
        command: 'npm run bench -- cohort',
      })
    }
  return figures
}
