import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'

/** One line of docs/figures.md. `holds` says whether the aim is met; it is null for a figure without an aim. */
export type Figure = { figure: string; measured: string; aim: string; holds: boolean | null; command: string }

/** Prints a measurement as one line that needs no context. */
export function printFigure({ figure, measured, aim, holds }: Figure) {
  const verdict = holds === null ? '' : holds ? `  ✓ aim ${aim}` : `  ✗ aim ${aim}`
  console.log(`${figure}: ${measured}${verdict}`)
}

/** The median of several values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = low] = sorted.length % 2 ? [sorted[middle]] : sorted.slice(middle - 1)
  return (low + high) / 2
}

/** `1.234` seconds as people read them. */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
/** 0.934 as `93 %`. */
export const percent = (ratio: number) => `${Math.round(ratio * 100)} %`
/** Bytes as KiB with one decimal. */
export const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`

/** Describes the machine without naming it. The load average is that of the time before the run. */
export function machine(): string {
  const load = loadavg()[0] ?? 0
  return `${availableParallelism()} cores, Node ${process.versions.node}, load ${load.toFixed(1)}`
}

const file = join(import.meta.dirname, '../docs/figures.md')
const head = [
  '# Figures',
  '',
  'Measured by `npm run bench -- --write`, which replaces the lines of the parts that it ran. Ratios compare with a floor that is measured in',
  'the same run, so that they depend less on the machine. The column of the machine has the load average of the minute before the run.',
  'Seconds are upper bounds: the machine had other work beside the run, which that load shows.',
  '',
  '| Figure | Measured | Aim | Command | Machine | Date |',
  '|---|---|---|---|---|---|',
]

/** Writes the figures into docs/figures.md. A figure replaces the line with its name. */
export function writeFigures(figures: readonly Figure[], on: string) {
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const lines = new Map<string, string>()
  for (const line of before) {
    const name = /^\| (?!Figure )([^|]+?) \|/.exec(line)?.[1]
    if (name) lines.set(name, line)
  }
  const date = new Date().toISOString().slice(0, 10)
  for (const { figure, measured, aim, holds, command } of figures) {
    const verdict = holds === false ? `${measured} (missed)` : measured
    lines.set(figure, `| ${figure} | ${verdict} | ${aim} | \`${command}\` | ${on} | ${date} |`)
  }
  writeFileSync(file, `${[...head, ...lines.values()].join('\n')}\n`)
}

/** The measured commit, as `git describe` names it. Changes that are not committed are marked. */
export function revision(): string {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' })
  return stdout?.trim() || 'no git'
}
