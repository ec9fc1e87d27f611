import { getPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { noteCheckpoints } from '../../api/src/kit/audit/audit-checkpoints.ts'
import { keepAttendance } from '../../api/src/transfers/attendance/kept-attendance.service.ts'
import { machine, revision } from '../figures.ts'
import { closeAll, onStage } from '../stage.ts'
import { signInAdministrator } from '../visitor.ts'
import { callsOf } from './calls.ts'
import { fillNation } from './fill.ts'
import { measure, printed, type Timed } from './measure.ts'
import { writePage } from './page.ts'
import { nationOf } from './size.ts'

const usage = `Usage: npm run bench:nation -- [--scale 0.1] [--people 1] [--exports] [--only Students] [--plans] [--keep FOLDER] [--write]
Fills a temporary database with 1.5 million students, 18 million payments and 20 million audit rows, and times every list, search and
summary, or with --exports every export and what else a worker counts, which takes a quarter of an hour. --scale fills a fraction of it (0.1 takes about 3 GB); --people and --audits have other fractions for the registers and the log; --only, once or more, measures the
calls with these words in their name; --plans prints the plan of each statement that took longer than 20 ms; --keep leaves the database in a folder, and finds it there
the next time; --minutes stops filling it after so many, and the same command goes on; --write puts their table into docs/growth.md.`

/** A server of a nation: more memory than the demo has, and plans of slow statements in its log. */
const server = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  max_wal_size: '4GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
}
const explained = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '20ms',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: '1' },
      people: { type: 'string' },
      exports: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [''] },
      plans: { type: 'boolean', default: false },
      keep: { type: 'string' },
      minutes: { type: 'string', default: '600' },
      audits: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  const scale = Number(values.scale)
  const people = Number(values.people ?? values.scale)
  const audits = Number(values.audits ?? values.scale)
  if (![scale, people, audits].every((part) => part > 0 && part <= 1)) {
    console.error(usage)
    return 1
  }
  const nation = nationOf({ people, money: scale, audits })
  // Begun with `nice -n -10`, it is measured before the other work of the machine.
  const first = getPriority() < 0 ? ' of other work, which came after it' : ''
  const on = `${machine()}${first}, ${revision()}`
  console.log(`${on}\n`)
  return onStage(
    async (stage) => {
      if (!(await fillNation(stage.superuserUrl, stage.context, nation, Number(values.minutes)))) {
        console.log('Stopped; the same command goes on with the next table.')
        return 0
      }
      // A kept database has the administrator of the run before.
      await sql`update users set email = 'bench.' || id || '@portal.example' where email = 'bench@portal.example'`.execute(
        stage.context.db,
      )
      // A worker has done this long before in a portal that has so much.
      await noteCheckpoints(stage.context.db)
      await keepAttendance(stage.context.db)
      const origin = await stage.startApi()
      await stage.startWorker()
      const visitor = await signInAdministrator(stage.context, origin)
      const times: Timed[] = []
      for (const call of callsOf(nation)) {
        if (Boolean(call.body) !== values.exports) continue
        if (!values.only.some((words) => call.name.includes(words))) continue
        const timed = await measure(visitor, call, values.plans ? stage.databaseLog : undefined)
        console.log(printed(timed))
        times.push(timed)
      }
      if (values.write) writePage(nation, times, on, values.exports ? 'exports' : 'calls')
      return 0
    },
    values.plans ? { ...server, ...explained } : server,
    values.keep,
  )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void closeAll().finally(() => process.exit(130)))
process.exitCode = await run()
