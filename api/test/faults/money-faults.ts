import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agency } from '../agency.ts'
import { until } from '../portal.ts'
import type { Random } from '../random.ts'

/** The round that a fault meets, and what it may do to the processes around it. */
export type Scene = {
  random: Random
  agency: Agency
  workers: ChildProcess[]
  startWorker(): ChildProcess
  endWorker(worker: ChildProcess, signal: NodeJS.Signals): Promise<void>
  /** Payments of the round that succeeded. */
  paid(): Promise<number>
  /** Payments that are not settled. */
  open(): Promise<number>
  cutDatabase(): Promise<void>
  /** Milliseconds from a kill until the next payment was recorded. */
  returns: number[]
}

const modes = [
  'other_amount',
  'other_reference',
  'other_phone',
  'other_currency',
  'other_key',
  'repeated_id',
  'stale_answer',
  'fraction_fee',
  'nul_id',
  'wrong_types',
  'not_json',
  'cut_body',
  'drip',
  'slow',
  'error_unpaid',
  'error_paid',
  'throttles',
  'forgets',
  'pending_forever',
  'accepts_other_body',
]

/** Every kind of trouble that one round may meet, by its name. */
export const faults: Record<string, (scene: Scene) => Promise<void>> = {
  async 'worker killed'(scene) {
    const before = await scene.paid()
    const victim = scene.workers.splice(scene.random.between(0, scene.workers.length - 1), 1)[0]
    if (victim) await scene.endWorker(victim, 'SIGKILL')
    const killed = Date.now()
    scene.workers.push(scene.startWorker())
    const goesOn = await until(async () => {
      if ((await scene.paid()) > before) return 'paid'
      return (await scene.open()) === 0 && 'settled'
    }, 60_000)
    if (goesOn === 'paid') scene.returns.push(Date.now() - killed)
  },
  async 'both workers killed'(scene) {
    const before = await scene.paid()
    await Promise.all(scene.workers.splice(0).map((worker) => scene.endWorker(worker, 'SIGKILL')))
    const killed = Date.now()
    scene.workers.push(scene.startWorker(), scene.startWorker())
    const goesOn = await until(async () => {
      if ((await scene.paid()) > before) return 'paid'
      return (await scene.open()) === 0 && 'settled'
    }, 60_000)
    if (goesOn === 'paid') scene.returns.push(Date.now() - killed)
  },
  async 'worker frozen past its lease'({ workers, random }) {
    const worker = workers[random.between(0, workers.length - 1)]
    worker?.kill('SIGSTOP')
    await wait(5_000)
    worker?.kill('SIGCONT')
  },
  async 'agency killed'({ agency }) {
    await agency.kill()
    await wait(1_000)
    await agency.restart()
  },
  async 'database connections cut'({ cutDatabase }) {
    await cutDatabase()
  },
  async 'agency unreachable'({ agency }) {
    await agency.set({ unreachable: true })
    await wait(2_000)
    await agency.set({ unreachable: false })
  },
  async 'account empty'({ agency }) {
    await agency.set({ float_amount: 200_000 })
    await wait(2_000)
    await agency.set({ float_amount: null })
  },
  async 'replies lost'({ agency }) {
    await agency.set({ lost_reply_percent: 40 })
    await wait(1_500)
    await agency.set({ lost_reply_percent: 0 })
  },
  async 'hostile answers'({ agency, random }) {
    const hostile = Array.from({ length: random.between(1, 4) }, () => ({
      mode: modes[random.between(0, modes.length - 1)],
      percent: random.between(5, 60),
      ms: 100,
    }))
    await agency.set({ hostile })
    await wait(3_000)
    if (random.chance(0.7)) await agency.set({ hostile: [] })
  },
}
