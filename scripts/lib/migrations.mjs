// Checks that the release before still runs on the database that a migration leaves, and that nobody waits behind it
// (decision 131). The rules are those of squawk. Run by `npm test`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/** Files with lower numbers are older than these rules. They are never edited. */
const firstChecked = '0050'

/** The first line of a file whose statements run one by one, such as `create index concurrently`. */
const outsideLine = '-- outside of a transaction'

/** Rules of squawk that ask for nothing an upgrade needs. */
const left = [
  'prefer-bigint-over-int',
  // The migrator sets it for every file (api/src/migrations.ts).
  'require-lock-timeout',
  // Filling a column may take long; who waits for a lock is limited already.
  'require-statement-timeout',
]

/** @typedef {{ line: number, message: string, help: string | null, rule_name: string }} Finding with lines from 0 */

/**
 * What a migration may not do, each as a sentence with its place.
 * @param {string} file @param {string} text @returns {string[]}
 */
export function faultsOfMigration(file, text) {
  const inTransaction = !text.startsWith(outsideLine)
  const squawk = join(root, 'node_modules/squawk-cli/js/bin/squawk')
  // The oldest that docs/operating.md names.
  const options = ['--pg-version', '15', '--reporter', 'json', '--stdin-filepath', file]
  if (inTransaction) options.push('--assume-in-transaction')
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [squawk, ...options, ...left.flatMap((rule) => ['--exclude', rule])],
    { input: text, encoding: 'utf8' },
  )
  if (!stdout.startsWith('[')) throw new Error(`squawk could not read ${file}: ${stderr || stdout}`)
  const found = /** @type {Finding[]} */ (JSON.parse(stdout)).map(
    ({ line, message, help, rule_name }) =>
      `${file}:${line + 1}: ${message}${help ? ` ${help}` : ''} (${rule_name})`,
  )
  return [...found, ...unexplained(file, text)]
}

/** An exception needs its reason, in the line before. @param {string} file @param {string} text */
function unexplained(file, text) {
  const lines = text.split('\n')
  return lines.flatMap((line, at) =>
    line.startsWith('-- squawk-ignore') && !/^-- (?!squawk-ignore)/.test(lines[at - 1] ?? '')
      ? [`${file}:${at + 1}: the line before an exception says why the release before is not disturbed.`]
      : [],
  )
}

if (import.meta.main) {
  const folder = join(root, 'api/migrations')
  const files = readdirSync(folder).filter((file) => file >= firstChecked)
  const faults = files.flatMap((file) => faultsOfMigration(file, readFileSync(join(folder, file), 'utf8')))
  for (const fault of faults) console.error(fault)
  if (faults.length)
    console.error(
      'The release before runs on this database, too. What to do instead, and exceptions: docs/how-to.md.',
    )
  process.exitCode = faults.length ? 1 : 0
}
