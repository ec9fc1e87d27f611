import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../portal.ts'
import type { Scene } from './money-scene.ts'

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

/**
 * Last two digits of the recipients about whom the agency lies: it reports a paid order as failed, or an unpaid one as
 * paid. No response reveals that; only the statement does. Nobody may be paid twice because of it.
 */
export const liedTo = ['91', '92', '93', '94', '95', '96']

type Fault = (scene: Scene) => Promise<void>

/** Faults of processes and of the connections between them. */
const processes: Record<string, Fault> = {
  async 'worker killed'(scene) {
    await scene.endWorkers(1, 'SIGKILL')
    scene.startWorkers(1)
    await scene.measureReturn()
  },
  async 'both workers killed'(scene) {
    await scene.endWorkers(2, 'SIGKILL')
    scene.startWorkers(2)
    await scene.measureReturn()
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
  async 'database killed'(scene) {
    await scene.server.kill()
    await scene.server.revive()
    await scene.measureReturn()
    if (await scene.isHeld()) throw new Error('Sending is held although the database only crashed.')
  },
  async 'database connections cut'(scene) {
    await scene.cutConnections()
  },
  async 'disk full'(scene) {
    const { server, random } = scene
    if (!server.disk) return
    scene.counts.disks += 1
    server.disk.fill()
    // Sometimes longer than the 15 seconds for which a mark allows sending.
    await wait(random.between(1, 18) * 1_000)
    server.disk.empty()
    await server.revive()
  },
}

/** Faults of the agency. */
const agencies: Record<string, Fault> = {
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
  async 'hostile answers'(scene) {
    const { agency, random } = scene
    const hostile = Array.from({ length: random.between(1, 4) }, () => ({
      mode: modes[random.between(0, modes.length - 1)],
      percent: random.between(5, 60),
      ms: 100,
    }))
    scene.honest = false
    await agency.set({ hostile })
    await wait(3_000)
    if (random.chance(0.7)) await scene.makeHonest()
  },
  async 'lies about money'(scene) {
    const lies = ['failed_first', 'failed_later', 'success_unpaid']
    const hostile = lies.map((mode, n) => ({ mode, numbers: liedTo.slice(2 * n, 2 * n + 2) }))
    // Only queries are answered with "failed". Lost replies make the portal send queries.
    await scene.agency.set({ hostile, lost_reply_percent: 30 })
    scene.honest = false
    await wait(2_000)
    if (scene.random.chance(0.5)) await scene.makeHonest()
    else await scene.agency.set({ lost_reply_percent: 0 })
  },
  async 'forgets its keys'(scene) {
    // The agency would pay a repeated order again. So nothing that it accepted may be sent twice.
    await scene.makeHonest()
    scene.honest = false
    await scene.agency.set({ hostile: [{ mode: 'forgets_keys' }], lost_reply_percent: 30 })
    await wait(2_000)
    await scene.makeHonest()
  },
}

/** Faults after which the database has lost payments that were made. */
export const losses: Record<string, Fault> = {
  async 'backup restored'(scene) {
    await scene.payBeyondBackup(scene.random.between(20, 200))
    await scene.server.restore()
    scene.counts.restores += 1
    await scene.releaseHold()
  },
  async 'backup restored without workers'(scene) {
    await scene.payBeyondBackup(scene.random.between(20, 200))
    await scene.endWorkers(2, scene.random.chance(0.5) ? 'SIGKILL' : 'SIGTERM')
    await scene.server.restore()
    scene.counts.restores += 1
    scene.startWorkers(2)
    await scene.releaseHold()
  },
  async 'failover to a standby that lagged'(scene) {
    await scene.server.backUp()
    await scene.payMore(scene.random.between(0, 100))
    scene.server.ship()
    await scene.payMore(scene.random.between(20, 150))
    await scene.server.failOver()
    scene.counts.failovers += 1
    await scene.releaseHold()
  },
}

/** Every kind of fault in a round, by its name. */
export const faults: Record<string, Fault> = { ...processes, ...agencies, ...losses }

/** The faults in the round of a seed, in order. Every fourth seed loses its database one to three times. */
export function planFaults(seed: number, { random }: Pick<Scene, 'random'>): string[] {
  const pick = (from: Record<string, Fault>) => {
    const names = Object.keys(from)
    return names[random.between(0, names.length - 1)] as string
  }
  const plan = Array.from({ length: random.between(2, 5) }, () => pick(faults))
  if (seed % 4 !== 0) return plan
  const lost = Array.from({ length: random.between(1, 3) }, () => pick(losses))
  return [...plan.slice(0, 2), ...lost]
}

/** Ends all faults: the agency is honest, and two workers run. */
export async function endTrouble(scene: Scene): Promise<void> {
  await scene.makeHonest()
  await scene.agency.set({ latency_ms: 5 })
  const began = Date.now()
  while (Date.now() < began + 150_000) {
    await scene.goOn()
    const settled = await until(async () => (await scene.counters()).open === 0, 1_000).catch(() => false)
    if (settled) return
    // Payments left to a person stay open. All others have been queried and settled by then.
    if (Date.now() > began + 45_000 && (await scene.counters()).unexplained === 0) return
  }
}
