import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seconds } from '../figures.ts'
import type { Timed } from './measure.ts'
import type { Nation } from './size.ts'

const file = join(import.meta.dirname, '../../docs/growth.md')
/** Replaces one of the tables of docs/growth.md: that of the calls, or that of the exports. */
export function writePage(
  { students, payments, audits }: Nation,
  times: readonly Timed[],
  on: string,
  table: 'calls' | 'exports',
) {
  const [start, end] = [`<!-- measured ${table} -->`, `<!-- /measured ${table} -->`]
  const many = (rows: number) => rows.toLocaleString('en-US')
  const lines = times.map(({ call, ms, refused, calls }) => {
    if (table === 'exports') return `| ${call.name} | ${refused ? `refused with ${refused}` : seconds(ms)} |`
    const took = refused
      ? `refused with ${refused}`
      : ms < 1000
        ? `${ms.toFixed(1)} ms`
        : `${(ms / 1000).toFixed(1)} s`
    const aim = call.aimMs ? `≤ ${call.aimMs} ms` : ''
    const missed = call.aimMs && !(ms <= call.aimMs) ? ' (missed)' : ''
    return `| ${call.name} | ${took}${missed} | ${aim} | ${calls} |`
  })
  const written = [
    start,
    `${many(students)} students, ${many(payments)} payments, ${many(audits)} audit rows; ${on}; ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...(table === 'calls'
      ? ['| Call | p50 | Aim | Calls |', '|---|---|---|---|']
      : ['| What | took |', '|---|---|']),
    ...lines,
    end,
  ].join('\n')
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no place for the table`)
  writeFileSync(file, page.slice(0, from) + written + page.slice(to + end.length))
}
