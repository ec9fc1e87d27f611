import { followModules } from '../api/src/modules/permissions.service.ts'
import { release } from '../api/test/modules/modules.ts'
import { sheetFile } from '../api/test/registers/registers.ts'
import { type Figure, seconds } from './figures.ts'
import { addSchools } from './nation.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { state } from './students-import.ts'
import { send, signInAdministrator, type Visitor } from './visitor.ts'
import { startWatchedWorker } from './watched.ts'

const aims = { seconds: 60, megabytes: 600 }
const schools = 200
const dishes = ['rice', 'millet', 'beans'] as const
const label = (en: string) => ({ en, fr: en })
const path = '/modules/mfe-meals/records/meals'

/** A collection with a reference, and with what its lists are sorted, filtered and searched by. */
const meals = {
  ...{ name: 'mfe-meals', version: '1.0.0', title: label('Meals') },
  permissions: [{ name: 'meals.record', label: label('Record meals') }],
  collections: [
    {
      ...{ name: 'meals', read: 'meals.record', write: 'meals.record', label: label('Meal') },
      import: '/admin/meals',
      fields: [
        {
          name: 'school',
          label: label('School'),
          type: 'reference',
          to: 'school',
          required: true,
          filter: true,
        },
        { name: 'day', label: label('Day'), type: 'day', required: true, sort: true, filter: true },
        {
          ...{ name: 'dish', label: label('Dish'), type: 'text', filter: true },
          values: dishes.map((value) => ({ value, label: label(value) })),
        },
        { name: 'girls', label: label('Girls'), type: 'whole', min: 0, max: 900 },
        { name: 'notes', label: label('Notes'), type: 'text', max: 255, search: true },
      ],
    },
  ],
}

const fileOf = (count: number, school: (n: number) => string) =>
  sheetFile(
    [
      ['School', 'Day', 'Dish', 'Girls', 'Notes'],
      ...Array.from({ length: count }, (_, n) => [
        school(n),
        `${String((n % 28) + 1).padStart(2, '0')}/03/2026`,
        dishes[n % 3] ?? null,
        n % 900,
        `Cooked for class ${n % 9}, line ${n}`,
      ]),
    ],
    'meals.xlsx',
  )

/** Time from the upload of 200,000 records of a module to their preview and until they are written, and the worker's memory. */
export function measureRecordsImport(scale: number): Promise<Figure[]> {
  const count = Math.round(200_000 * scale)
  return onStage(async ({ context, startApi, vacuum }) => {
    await release(context.registry, meals)
    await followModules(context)()
    await addSchools(context.db, schools)
    await vacuum()
    const visitor = await signInAdministrator(context, await startApi())
    const worker = startWatchedWorker(context)
    return closeAtEnd(worker.stop, async () => {
      const code = (n: number) => `ML-${String(n % schools).padStart(4, '0')}`
      // Warm-up: the first import also loads code.
      await run(context.db, visitor, fileOf(50, code))
      worker.start()
      const file = fileOf(count - 50, code)
      const { preview, write } = await run(context.db, visitor, file)
      const used = await worker.used()
      const total = (preview + write) / 1000
      const [peak, idle] = [used.peakBytes, used.idleBytes].map((bytes) => Math.round(bytes / 1024 / 1024))
      const figure = `Import of ${count.toLocaleString('en-US')} records of a module`
      const command = 'npm run bench -- records-import'
      return [
        {
          figure: `${figure}, end to end`,
          measured: `${total.toFixed(1)} s (preview ${seconds(preview)}, written ${seconds(write)})`,
          aim: `≤ ${aims.seconds} s`,
          holds: total <= aims.seconds,
          command,
        },
        {
          figure: `${figure}, peak memory of the worker`,
          measured: `${peak} MB (${idle} MB before it)`,
          aim: `≤ ${aims.megabytes} MB`,
          holds: Number(peak) <= aims.megabytes,
          command,
        },
      ]
    })
  })
}

async function run(db: Parameters<typeof state>[0], visitor: Visitor, file: File) {
  const began = performance.now()
  const form = new FormData()
  form.append('records_file', file)
  const sent = await send<{ import: { id: number } }>(visitor, `${path}/import?review=1`, form)
  await state(db, sent.import.id, 'review')
  const reviewed = performance.now()
  await send(visitor, `/imports/${sent.import.id}/confirm`, {})
  await state(db, sent.import.id, 'imported')
  return { preview: reviewed - began, write: performance.now() - reviewed }
}
