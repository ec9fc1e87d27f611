import { sql } from 'kysely'
import pg from 'pg'
import { addPeople } from '../api/test/people.ts'
import { measureCohortLists } from './cohort-lists.ts'
import { countCohortNodes } from './cohort-nodes.ts'
import { compareStatement, exportFile, pay, statementFile } from './cohort-work.ts'
import { type Figure, percent, seconds } from './figures.ts'
import { importOnce, insertBare, makeFloor } from './import.ts'
import { allowInFlight, checkLedger, inFlight } from './payouts.ts'
import { cpuMs, cpuMsWithChildren, watchProcessors } from './process-use.ts'
import { type Browsed, browse, inWords } from './sampler.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { targetListFile } from './target-list.ts'
import { read, send, signInAdministrator } from './visitor.ts'
import { startWatchedApi, startWatchedWorker, type Used } from './watched.ts'

const command = 'npm run bench -- cohort'
const latencyMs = 20
const aims = {
  /** Times a bare insert of the same rows. */
  import: 4,
  /** Of concurrency ÷ latency. */
  pay: 0.85,
  /** Half of what a call may take. */
  approveSeconds: 7.5,
  statementSeconds: 60,
  exportSeconds: 30,
  workerMegabytes: 400,
  apiMegabytes: 400,
  loopMs: 100,
  /** Times the same call of an idle portal. */
  busy: 3,
}

type Phase = Browsed & { name: string; ms: number; used: { api: Used; worker: Used }; processors: string }

/** One cohort of 150,000 recipients from its Excel file to its reconciled statement. */
export function measureCohort(scale: number): Promise<Figure[]> {
  const count = Math.round(150_000 * scale)
  const many = count.toLocaleString('en-US')
  return onStage(async (stage) => {
    const { context } = stage
    const { db } = context
    // Before minutes of work, so that a missing build is noticed at once.
    await stage.releaseModules()
    await addPeople(db, count, stage.agency.url)
    await allowInFlight(stage.ownerUrl)
    await stage.agency.set({ latency_ms: latencyMs })
    await stage.vacuum()
    const api = await startWatchedApi(context)
    const worker = startWatchedWorker(context)
    const owner = new pg.Client({ connectionString: stage.ownerUrl })
    const end = () => Promise.all([api.stop(), worker.stop(), owner.end()])
    return closeAtEnd(end, async () => {
      await owner.connect()
      const officer = await signInAdministrator(context, api.url)
      const approver = await signInAdministrator(context, api.url, 'approver@portal.example')
      // Warm-up: the first list of processes that run for weeks.
      const warm = Math.min(count, 200)
      const first = await importOnce(owner, officer, targetListFile(warm), 1, warm)
      await send(approver, `/admin/transfers/cohorts/${first.cohort}/approve`, { action: 'approved' })
      await pay(db, first.cohort)

      const programs = {
        worker: () => cpuMs(worker.pid),
        database: () => cpuMsWithChildren(stage.pids().database),
        api: () => cpuMs(api.pid),
        agency: () => cpuMs(stage.agency.pid()),
        benchmark: () => cpuMs(process.pid),
      }
      const phases: Phase[] = []
      const phase = async <T>(
        name: string,
        pages: Record<string, string>,
        work: () => Promise<T>,
      ): Promise<T> => {
        api.start()
        worker.start()
        const processors = watchProcessors(programs)
        const stop = browse(approver, pages)
        const began = performance.now()
        const done = await work().finally(stop)
        const ms = performance.now() - began
        phases.push({
          name,
          ms,
          ...(await stop()),
          processors: processors(),
          used: { api: await api.used(), worker: await worker.used() },
        })
        console.log(`${name}: ${seconds(ms)}`)
        return done
      }
      const others = { cohorts: '/admin/transfers/cohorts', home: '/home/statistics' }
      const file = targetListFile(count)
      const imported = await phase('import', others, () => importOnce(owner, officer, file, 2, count))
      const { cohort } = imported
      await makeFloor(owner)
      const floor = await insertBare(owner, 'bench_floor', cohort, count)
      await sql`analyze`.execute(db)
      const summary = `/admin/transfers/cohorts/${cohort}/summary`
      const pages = {
        ...others,
        summary,
        payrolls: `/admin/transfers/cohorts/${cohort}/payrolls`,
        progress: `/admin/transfers/cohorts/${cohort}/progress`,
      }
      await phase('idle', pages, () => new Promise((done) => setTimeout(done, 5000)))
      const overlap = await read<{ cohort: { check: { overlaps: { cohort_id: number }[] } } }>(
        approver,
        summary,
      )
      await phase('approval', others, () =>
        send(approver, `/admin/transfers/cohorts/${cohort}/approve`, {
          action: 'approved',
          confirmed_overlaps: overlap.cohort.check.overlaps.map(({ cohort_id }) => cohort_id),
        }),
      )
      const { group, ms: paying } = await phase('payment', pages, () => pay(db, cohort))
      await checkLedger(stage, count + warm)
      const statement = await statementFile(db, group)
      await phase('statement', pages, () => compareStatement(officer, statement, count))
      await phase('export of the list', pages, () =>
        exportFile(officer, '/admin/transfers/cohorts/export', { cohort_id: cohort }),
      )
      await phase('export of the round', pages, () =>
        exportFile(officer, '/admin/transfers/cohorts/payroll/export', { payroll_id: group }),
      )
      const rate = count / (paying / 1000)
      const ceiling = (1000 / latencyMs) * inFlight
      return [
        {
          figure: `One cohort of ${many} recipients, imported from Excel`,
          measured: `${(imported.ms / floor).toFixed(2)} × a bare unnest insert into a table of the same shape (${seconds(imported.ms)} / ${seconds(floor)})`,
          aim: `≤ ${aims.import} ×`,
          holds: imported.ms / floor <= aims.import,
          command,
        },
        {
          figure: `One cohort of ${many} recipients, paid by one worker, agency ${latencyMs} ms, ${inFlight} in flight`,
          measured: `${percent(rate / ceiling)} of concurrency ÷ latency (${seconds(paying)}, ${Math.round(rate)}/s), in one round; the agency’s ledger has each once${processorsOf(phases, 'payment')}`,
          aim: `≥ ${percent(aims.pay)}`,
          holds: rate / ceiling >= aims.pay,
          command,
        },
        timed(
          phases,
          'approval',
          `One cohort of ${many} recipients, the call that approves it`,
          aims.approveSeconds,
        ),
        timed(
          phases,
          'statement',
          `Statement of ${many} lines, uploaded and compared`,
          aims.statementSeconds,
        ),
        timed(phases, 'export of the list', `Export of a list of ${many}`, aims.exportSeconds),
        timed(phases, 'export of the round', `Export of a round of ${many}`, aims.exportSeconds),
        ...phases.filter(({ name }) => name !== 'idle').flatMap((each) => beside(each, phases, many)),
        ...(await measureCohortLists(approver, cohort, group, count)),
        ...(await countCohortNodes(api.url, cohort, group, many)),
      ]
    })
  })
}

/** Who used the processors, where the system tells it. */
function processorsOf(phases: Phase[], wanted: string): string {
  const used = phases.find(({ name }) => name === wanted)?.processors
  return used ? `. Processor time: ${used}` : ''
}

function timed(phases: Phase[], wanted: string, figure: string, aim: number): Figure {
  const ms = phases.find(({ name }) => name === wanted)?.ms ?? Number.NaN
  return { figure, measured: seconds(ms), aim: `≤ ${aim} s`, holds: ms <= aim * 1000, command }
}

/** What a part of the work costs the processes, and the people who use the portal beside it. */
function beside({ name, used, calls, late }: Phase, phases: Phase[], many: string): Figure[] {
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  const idle = phases.find((each) => each.name === 'idle')?.calls
  const slowest = Math.max(...[...calls].map(([page, { p99 }]) => p99 / (idle?.get(page)?.p99 ?? Number.NaN)))
  const figure = `One cohort of ${many}, during the ${name}`
  const [api, worker] = [megabytes(used.api.peakBytes), megabytes(used.worker.peakBytes)]
  const longest = Math.round(Math.max(used.api.longestMs, used.worker.longestMs))
  return [
    {
      figure: `${figure}, peak memory of api and worker`,
      measured: `${api} MB and ${worker} MB (${megabytes(used.api.idleBytes)} and ${megabytes(used.worker.idleBytes)} before it)`,
      aim: `≤ ${aims.apiMegabytes} and ${aims.workerMegabytes} MB`,
      holds: api <= aims.apiMegabytes && worker <= aims.workerMegabytes,
      command,
    },
    {
      figure: `${figure}, longest delay of the loops`,
      measured: `api ${Math.round(used.api.longestMs)} ms, worker ${Math.round(used.worker.longestMs)} ms`,
      aim: `≤ ${aims.loopMs} ms`,
      holds: longest <= aims.loopMs,
      command,
    },
    {
      figure: `${figure}, p99 of what others open`,
      measured: `at most ${slowest.toFixed(1)} × idle (${[...calls].map(([page, each]) => `${page} ${inWords(each)}`).join('; ')}; a pause of the benchmark itself ${late.p99.toFixed(1)} ms too long at p99)`,
      aim: `≤ ${aims.busy} ×`,
      holds: slowest <= aims.busy,
      command,
    },
  ]
}
