import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../portal.ts'

/** What starts a process, and how to see that it answers. */
export type Recipe = {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** The account that it runs as; that of the tests without one. */
  account?: { uid: number; gid: number }
  log: string
  isUp(): Promise<boolean>
}

const restartMs = 2_000

/** A process that is started again after it ended, like a unit of systemd with `Restart=always` and `RestartSec=2`. */
export class Program {
  readonly recipe: Recipe
  #child: ChildProcess | null = null
  #wanted = false

  constructor(recipe: Recipe) {
    this.recipe = recipe
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  start(): void {
    this.#wanted = true
    this.#spawn()
  }

  async ready(ms = 60_000): Promise<this> {
    await until(() => this.recipe.isUp().catch(() => false), ms).catch(() => {
      throw new Error(`${this.recipe.name} did not start:\n${this.tail()}`)
    })
    return this
  }

  /** Kills it with all that it has started, as a machine without memory would. It comes back by itself. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Ends it for good. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#wanted = false
    await this.#end(signal)
  }

  tail(): string {
    return readFileSync(this.recipe.log, 'utf8').trim().split('\n').slice(-15).join('\n')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // A killed process takes its group with it, so that no worker of nginx keeps the port.
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    await exited
  }

  #spawn(): void {
    const { command, args, env, account, log } = this.recipe
    const output = openSync(log, 'a')
    const options: SpawnOptions = {
      env: env ?? process.env,
      detached: true,
      stdio: ['ignore', output, output],
      ...account,
    }
    const child = spawn(command, args, options)
    closeSync(output)
    this.#child = child
    child.once('exit', async () => {
      if (!this.#wanted) return
      await pause(restartMs)
      if (this.#wanted) this.#spawn()
    })
  }
}
