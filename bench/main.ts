import { parseArgs } from 'node:util'
import { measureActs } from './acts.ts'
import { frameFigures } from './budgets.ts'
import { measureCohort } from './cohort.ts'
import { measureEdits } from './edits.ts'
import { measureExternal } from './external.ts'
import { type Figure, machine, printFigure, revision, writeFigures } from './figures.ts'
import { measureImport } from './import.ts'
import { measureJourneys } from './journeys.ts'
import { measureLighthouse } from './lighthouse.ts'
import { measureLists } from './lists.ts'
import { measureLoad } from './load.ts'
import { everybody } from './load-people.ts'
import { measurePages } from './pages.ts'
import { measurePayouts } from './payouts.ts'
import { measureProgress } from './progress.ts'
import { measureRecordsImport } from './records-import.ts'
import { measureSignIn } from './sign-in.ts'
import { closeAll } from './stage.ts'
import { measureStudentsExport } from './students-export.ts'
import { measureStudentsImport } from './students-import.ts'
import { measureStudentsList } from './students-list.ts'

type More = { pictures: string | undefined; minutes: number; people: number }
const parts: Record<string, (scale: number, more: More) => Promise<Figure[]>> = {
  import: measureImport,
  payouts: measurePayouts,
  progress: measureProgress,
  lists: measureLists,
  pages: measurePages,
  external: measureExternal,
  frames: frameFigures,
  lighthouse: () => measureLighthouse(),
  'sign-in': measureSignIn,
  edits: measureEdits,
  'students-import': measureStudentsImport,
  'records-import': measureRecordsImport,
  'students-export': measureStudentsExport,
  'students-list': measureStudentsList,
  cohort: measureCohort,
  acts: measureActs,
  load: (scale, { minutes, people }) => measureLoad(scale, minutes, people),
  journeys: (_scale, { pictures }) => measureJourneys(pictures),
}
const usage = `Usage: npm run bench -- [${Object.keys(parts).join('|')}]… [--write] [--strict] [--scale 0.1] [--pictures FOLDER] [--minutes 3] [--people 500]
--write puts the figures into docs/figures.md; --strict fails where one misses its aim; --scale tries the bench out on less data, and writes nothing;
--pictures keeps what the people of the journeys see, at both widths; --minutes is how long the 500 people of the load work, --people has fewer of them.`

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((word) => word !== '--'),
    options: {
      write: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      scale: { type: 'string', default: '1' },
      pictures: { type: 'string' },
      minutes: { type: 'string', default: '3' },
      people: { type: 'string', default: String(everybody) },
    },
    allowPositionals: true,
  })
  const scale = Number(values.scale)
  const minutes = Number(values.minutes)
  const people = Number(values.people)
  const unknown = positionals.find((name) => !(name in parts))
  if (
    unknown ||
    !(scale > 0 && scale <= 1) ||
    !(minutes > 0 && minutes <= 60) ||
    !(people >= 10 && people <= everybody) ||
    (values.write && scale !== 1)
  ) {
    console.error(usage)
    return 1
  }
  const on = machine()
  console.log(`${on}, ${revision()}\n`)
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length && !positionals.includes(name)) continue
    for (const figure of await measure(scale, { pictures: values.pictures, minutes, people })) {
      printFigure(figure)
      figures.push(figure)
    }
  }
  if (values.write) writeFigures(figures, on)
  return values.strict && figures.some(({ holds }) => holds === false) ? 1 : 0
}

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopping = true
    void closeAll().finally(() => process.exit(130))
  })
}
try {
  process.exitCode = await run()
} catch (error) {
  // After a signal the database is closed, so an error of the measurement in progress is expected.
  if (!stopping) console.error(error)
  process.exitCode = 1
}
