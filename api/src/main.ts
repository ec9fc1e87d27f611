import { setTimeout as wait } from 'node:timers/promises'
import { checkDemoMarker, refuseOtherKind } from './demo/marker.service.ts'
import { refusePooler } from './kit/database/pooler-check.ts'
import { refuseOtherStore } from './kit/files/store-check.ts'
import { type Context, contextForCalls, makeContext } from './kit/process/context.ts'
import type { Health } from './kit/process/health.ts'
import { checkInstallation, refuseOtherInstallation } from './kit/process/installation.ts'
import { readSettings, SettingsFault } from './kit/process/settings.ts'
import { startTracing } from './kit/process/telemetry.ts'
import { checkSecrets, refuseOtherSecrets } from './kit/secrets/secret-keys.ts'

/** How long open calls and jobs may take to end, in milliseconds. The supervisor kills the process after 10 s. */
const shutdownMs = 9_500

/**
 * Waits until the worker's database can be reached, because after an exit the supervisor would wait longer and longer
 * before each restart. Throws if it is not the database of the settings, so that nothing is paid from another one.
 */
async function findDatabase(context: Context): Promise<void> {
  const { db, settings, log } = context
  for (;;) {
    try {
      await refusePooler(settings)
      await checkDemoMarker(db, settings.demo)
      await checkInstallation(db, settings)
      await checkSecrets(context)
      return
    } catch (error) {
      if (error instanceof SettingsFault) throw error
      log.error({ err: error }, 'the worker waits for its database')
      await wait(500)
    }
  }
}

/** Serves the paths for machines on their own port, from the start to the end of the process. */
async function startMachinePort(context: Context, calls: Context, health: Health) {
  const { host, machine } = context.settings
  if (!machine.port) return async () => {}
  const [{ machineServer }, { migrationNames }] = await Promise.all([
    import('./machine/machine.routes.ts'),
    import('./migrations.ts'),
  ])
  const pools = { calls: calls.db.pool, jobs: context.db.pool }
  const server = machineServer(context, health, migrationNames(), pools)
  await server.listen({ port: machine.port, host })
  return async () => {
    await server.close()
  }
}

async function start() {
  const context = makeContext(readSettings(process.env))
  const calls = contextForCalls(context)
  const { settings, log, db } = context
  const stopTracing = await startTracing(settings.traces, settings.role)
  const health: Health = { draining: false, starting: true }
  await refuseOtherStore(context)
  const stopMachinePort = await startMachinePort(context, calls, health)
  const stops: (() => Promise<void>)[] = []
  // Each role loads only its own code, so that a restarted worker resumes its payments sooner.
  if (settings.role !== 'worker') {
    await refusePooler(settings)
    await refuseOtherKind(db, settings.demo)
    await refuseOtherInstallation(db, settings)
    await refuseOtherSecrets(context)
    const { startApi } = await import('./api.ts')
    const stopApi = await startApi(calls, health)
    // Readiness has fallen by then, so that nothing new is sent to a listener that closes.
    stops.push(async () => {
      await wait(settings.drainMs / 2)
      health.closing = true
      await wait(settings.drainMs / 2)
      await stopApi()
    })
  }
  if (settings.role !== 'api') {
    await findDatabase(context)
    const { startWorker } = await import('./worker.ts')
    stops.push(await startWorker(context))
  }
  // The paths for machines answer before the rest does.
  health.starting = false
  log.info({ role: settings.role, port: settings.port }, 'started')
  const stop = async (signal: string) => {
    if (health.draining) return
    health.draining = true
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), settings.drainMs + shutdownMs).unref()
    await Promise.all(stops.map((end) => end()))
    await stopMachinePort()
    await stopTracing()
    await Promise.all([calls.db.pool.end(), db.pool.end()])
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}

try {
  await start()
} catch (error) {
  process.stderr.write(
    `${error instanceof SettingsFault ? error.message : ((error as Error).stack ?? error)}\n`,
  )
  process.exit(1)
}
