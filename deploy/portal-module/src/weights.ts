import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltModule } from '@portal/build/build-module'
import { sourcesByWeight } from '@portal/build/maps'
import { budgets, kib } from '@portal/sdk/weights'
import type { Check } from './portal.ts'

/** Bytes of a file over the wire: of its compressed copy, if it has one. */
const sentOf = (folder: string, file: string): Promise<number> =>
  stat(join(folder, `${file}.br`)).then(
    ({ size }) => size,
    async () => (await stat(join(folder, file))).size,
  )

/** What each page needs at the first visit. */
export async function checkBudget({ folder, record }: BuiltModule): Promise<Check> {
  const { preloads, entry } = record
  const pages = await Promise.all(
    Object.keys(preloads)
      .filter((path) => path.startsWith('/'))
      .map(async (path) => {
        const files = [entry, ...(preloads['*'] ?? []), ...(preloads.fr ?? []), ...(preloads[path] ?? [])]
        const sizes = await Promise.all([...new Set(files)].map((file) => sentOf(folder, file)))
        return { path, bytes: sizes.reduce((sum, each) => sum + each, 0) }
      }),
  )
  const heavy = pages.filter(({ bytes }) => bytes > budgets.page)
  const [heaviest] = pages.sort((a, b) => b.bytes - a.bytes)
  return {
    gate: 'budget',
    ok: heavy.length === 0,
    text: heavy.length
      ? `${heavy.map(({ path, bytes }) => `${path} needs ${kib(bytes)}`).join('; ')}; a page may need ${kib(budgets.page)}: load dialogs lazily (lazy() of @portal/screens/lazy).`
      : `${heaviest ? `the heaviest page, ${heaviest.path}, needs ${kib(heaviest.bytes)}` : 'no pages'} of ${kib(budgets.page)}.`,
  }
}

/** Each file, also one that is loaded lazily, and all of them together. A file that is too heavy says what is inside. */
export async function checkWeights({ folder, record }: BuiltModule): Promise<Check> {
  const sizes = await Promise.all(
    Object.keys(record.files).map(async (path) => ({ path, bytes: await sentOf(folder, path) })),
  )
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const [heaviest, ...others] = sizes.sort((a, b) => b.bytes - a.bytes)
  const heavy = [...(heaviest ? [heaviest] : []), ...others].filter(({ bytes }) => bytes > budgets.file)
  const faults = await Promise.all(
    heavy.map(
      async ({ path, bytes }) =>
        `${path} is ${kib(bytes)}, compressed; a file may be ${kib(budgets.file)}, also one that is loaded lazily${await insideOf(folder, path)}. Split it with import(), or take a smaller library`,
    ),
  )
  if (total > budgets.total)
    faults.push(
      `all files are ${kib(total)}, compressed; a module may be ${kib(budgets.total)}: leave out what is not shown, or keep it on a server of yours`,
    )
  return {
    gate: 'weights',
    ok: faults.length === 0,
    text: faults.length
      ? `${faults.join('\n    ')}.`
      : `the heaviest file, ${heaviest?.path}, is ${kib(heaviest?.bytes ?? 0)} of ${kib(budgets.file)}; all are ${kib(total)} of ${kib(budgets.total)}.`,
  }
}

/** The three heaviest sources of a script, as a part of a sentence. Their sizes are before compression. */
async function insideOf(folder: string, path: string): Promise<string> {
  const code = await readFile(join(folder, path), 'utf8')
  const found = await sourcesByWeight(folder, path, code)
  const named = found.slice(0, 3).map(({ name, bytes }) => `${name} (${kib(bytes)})`)
  return named.length ? `. Before compression it is mostly ${named.join(', ')}` : ''
}
