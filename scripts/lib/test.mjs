// The parts of `npm test`. `npm test -- static|unit|api|e2e` runs one of them. `npm run test:all` also runs the longer
// parts (one of them: `npm test -- visits|modules|simulation|money|processes|deploy|partner|lighthouse`). The last line has the totals.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser } from './browser.mjs'
import { root } from './paths.mjs'
import { main, Sentence, say } from './say.mjs'
import { checkSecurity } from './security.mjs'

/** Counts of a part, and for each failure its title and what it said. @typedef {{ passed: number, failed: number, failures?: string[] }} Counts */

/** @param {string[]} path */
const bin = (...path) => join(root, 'node_modules', ...path)
/** @param {string} project */
const compiler = (project) => [bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', project]
const results = mkdtempSync(join(tmpdir(), 'portal-results-'))
// Tests start hundreds of processes. With a cache of compiled code a worker starts with half of the processor time.
process.env.NODE_COMPILE_CACHE ??= join(results, 'compiled')
/** Whether a part prints its output at its end, because another part prints at the same time. */
let inBlocks = false

/** @type {Record<string, () => Promise<Counts[]>>} */
const parts = {
  // Each of them uses one core, so there is one for each core at a time.
  static: () =>
    inParallel([
      () =>
        check('Lint and format', [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--max-diagnostics=50']),
      () =>
        check('Boundaries', [bin('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'), ...boundaries()]),
      () => check('Types', compiler('.')),
      () => check('Types in the oldest browsers', compiler('tsconfig.browsers.json')),
      () => check('Catalogs', ['shared/i18n/catalogs.ts', 'check']),
      () => check('Calls as documented', ['api/src/commands/openapi.ts', 'check']),
      () => check('Settings as documented', ['api/src/commands/settings-docs.ts', 'check']),
      () => check('References', ['scripts/lib/references.mjs']),
      () => check('Migrations', ['scripts/lib/migrations.mjs']),
      () => check('Promises', ['scripts/lib/promises.mjs']),
    ]),
  // Both wait during much of their time: for simulated agencies and builds, and for the database, workers and agencies.
  unit: async () => [
    await vitest('Unit tests', ['--project', 'node', '--project', 'browser', '--project', 'shell'], 1),
  ],
  api: async () => [await vitest('API tests', ['--project', 'api'], 1)],
  e2e: async () => {
    const built = await check('Build', ['shared/build/src/build-all.ts'])
    if (built.failed) return [built]
    // Counting bytes takes seconds of one core, while the portals start.
    const [budgets, journeys] = await Promise.all([
      check('Budgets', ['bench/budgets.ts']),
      playwright('Browser tests', 'e2e', { halves: true }),
    ])
    return [built, budgets, ...journeys]
  },
}

/** Parts that take more than two minutes, or need more than Node, npm and a browser. @type {typeof parts} */
const longer = {
  visits: async () => {
    const built = await check('Build', ['shared/build/src/build-all.ts'])
    if (built.failed) return [built]
    return [built, ...(await playwright('Every sight of every role', 'e2e/visits', { halves: true }))]
  },
  modules: async () => {
    const built = await check('Build', ['shared/build/src/build-all.ts'])
    if (built.failed) return [built]
    return [built, ...(await playwright('Faults and versions of modules', 'e2e/faults'))]
  },
  simulation: async () => [
    await check('100,000 schedules of payments under faults', [
      'api/test/simulation/command.ts',
      process.env.SIMULATION_SCHEDULES ?? '100000',
    ]),
  ],
  money: async () => [await vitest('Money under faults', ['--project', 'faults'])],
  processes: async () => playwright('Faults of processes', 'e2e/faults/processes'),
  deploy: async () => {
    const built = await check('Build', ['shared/build/src/build-all.ts'])
    if (built.failed) return [built]
    return [built, await vitest('With programs of Debian', ['--project', 'deploy'])]
  },
  partner: async () => [
    await check("The example's own types, tests and build", ['scripts/example.mjs']),
    await check("The partner's guide, to the letter", ['scripts/guide.mjs']),
  ],
  lighthouse: async () => {
    const built = await check('Build', ['shared/build/src/build-all.ts'])
    if (built.failed) return [built]
    // This part has its own database and ports, so that a running portal is not disturbed.
    return [built, await check('Lighthouse', ['bench/main.ts', 'lighthouse', '--strict'])]
  },
}

/**
 * Runs checks, as many at a time as there are cores.
 * @param {(() => Promise<Counts>)[]} checks
 */
async function inParallel(checks) {
  const waiting = [...checks]
  /** @type {Counts[]} */
  const counted = []
  const next = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) counted.push(await one())
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next))
  return counted
}

/** Compiles the catalogs. Modules import them, and a fresh clone does not have them yet. */
const words = () => check('Words', ['shared/i18n/catalogs.ts', 'compile'])

/** The arguments of `npm run boundaries`, read from package.json so that the folders are listed once. */
function boundaries() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return scripts.boundaries.split(' ').slice(1)
}

/**
 * @param {string[]} args @param {{ quiet?: boolean, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(args, { quiet = false, env = process.env } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.trim() }))
  })
}

/** Runs a check, which counts as one test. Prints its output if it fails. @param {string} title @param {string[]} args @returns {Promise<Counts>} */
async function check(title, args) {
  const started = Date.now()
  const { code, output } = await run(args, { quiet: true })
  if (code !== 0) say(output)
  say(`${code === 0 ? '✓' : '✗'} ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [`${title}\n${output}`] }
}

/** @param {string} title @param {string[]} projects @param {number} [extra] workers beyond one for each core */
async function vitest(title, projects, extra = 0) {
  say(`\n${title}`)
  const file = join(results, `${title}.json`)
  const reporters = [
    '--reporter=default',
    '--silent=passed-only',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  // A core that would be left free by default is used as well, unless it is the browser's.
  const workers = Math.max(1, availableParallelism() - (inBlocks ? 1 : 0) + extra)
  const options = ['--passWithNoTests', `--maxWorkers=${workers}`]
  const { code, output } = await run(
    [bin('vitest', 'vitest.mjs'), 'run', ...options, ...projects, ...reporters],
    { quiet: inBlocks },
  )
  if (inBlocks) say(output)
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = readResult(file)
  return sure({ passed, failed, failures: testResults.flatMap(vitestFailures) }, code)
}

/**
 * Runs the tests of a folder, in halves if asked: each half has a browser, a portal and a database of its own, and always
 * the same files in the same order. The second half shows its output when both have ended.
 * @param {string} title @param {string} folder where the configuration is @param {{ halves?: boolean }} [options]
 * @returns {Promise<Counts[]>}
 */
async function playwright(title, folder, { halves = false } = {}) {
  say(`\n${title}`)
  if (!halves || availableParallelism() < 2) return [await journeys(folder)]
  const [first, second] = await Promise.all([journeys(folder, 1), journeys(folder, 2)])
  say(second.output)
  return [first, second]
}

/** @param {string} folder @param {1 | 2} [half] @returns {Promise<Counts & { output: string }>} */
async function journeys(folder, half) {
  const name = [folder.replaceAll('/', '-'), ...(half ? [half] : [])].join('-')
  const file = join(results, `${name}.json`)
  const env = {
    ...process.env,
    PORTAL_BROWSER: findBrowser(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    // Fewer tests in the first half, as measured: it has the visits of every page, which take longer.
    ...(half && { PWTEST_SHARD_WEIGHTS: '47:53' }),
  }
  const config = ['--config', `${folder}/playwright.config.ts`, '--reporter=list,json']
  const part = half ? [`--shard=${half}/2`, '--output', join(root, folder, 'test-results', name)] : []
  const { code, output } = await run([bin('@playwright', 'test', 'cli.js'), 'test', ...config, ...part], {
    env,
    quiet: half === 2,
  })
  const { stats: { expected: passed = 0, unexpected = 0, flaky = 0 } = {}, suites = [] } = readResult(file)
  const failures = suites.flatMap(playwrightFailures)
  return { ...sure({ passed, failed: unexpected + flaky, failures }, code), output }
}

/** @param {{ name: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} file */
function vitestFailures({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (message && failed.length === 0) return [`${name}\n${message}`]
  return failed.map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join('\n')}`)
}

/**
 * @typedef {{ title: string, file: string, line: number, ok: boolean, tests: { results: { error?: { message?: string } }[] }[] }} Spec
 * @param {{ specs?: Spec[], suites?: any[] }} suite @returns {string[]}
 */
function playwrightFailures({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok)
  const described = failed.map(({ title, file, line, tests }) => {
    const messages = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ''))
    return `${file}:${line} › ${title}\n${messages.join('\n')}`
  })
  return [...described, ...suites.flatMap(playwrightFailures)]
}

/** @param {string} file */
function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Counts one failure when the runner failed outside of a test (in a set-up, or by an unhandled error). @param {Counts} counts @param {number} code */
function sure(counts, code) {
  if (code === 0 || counts.failed > 0) return counts
  const outside = 'The runner failed outside of a test. Its own output, above, says why.'
  return { ...counts, failed: 1, failures: [...(counts.failures ?? []), outside] }
}

/** Runs a part. If it cannot run, that is one failure, and the parts after it still run. @param {() => Promise<Counts[]>} part */
async function guarded(part) {
  try {
    return await part()
  } catch (error) {
    if (!(error instanceof Sentence)) throw error
    say(error.sentence)
    return [{ passed: 0, failed: 1 }]
  }
}

await main(async () => {
  const usual = { ...parts, ...longer }
  // Its tests are those of other parts, counted by chapter.
  const all = { ...usual, security: checkSecurity }
  const given = process.argv.slice(2)
  const asked = given.includes('all') ? Object.keys(usual) : given.length ? given : Object.keys(parts)
  const unknown = asked.find((name) => !(name in all))
  if (unknown)
    throw new Sentence(`There is no part "${unknown}": npm test -- ${Object.keys(all).join('|')}|all`)
  const chosen = Object.keys(all).filter((name) => asked.includes(name))
  const total = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const failures = []
  /** @type {string[]} */
  const times = []
  /** @param {string} name @param {() => Promise<Counts[]>} part */
  const stage = async (name, part) => {
    const started = Date.now()
    const counts = await guarded(part)
    for (const counted of counts) {
      total.passed += counted.passed
      total.failed += counted.failed
      failures.push(...(counted.failures ?? []))
    }
    const seconds = Math.round((Date.now() - started) / 1000)
    times.push(`${name} ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)
  }
  /** @param {string[]} names */
  const inTurn = async (names) => {
    for (const [name, part] of Object.entries(all)) if (names.includes(name)) await stage(name, part)
  }
  const started = Date.now()
  if (chosen.some((name) => name in parts || name === 'security'))
    await stage('words', async () => [await words()])
  // The browser tests mostly wait for one browser. With enough cores the other parts run at the same time.
  const beside = chosen.filter((name) => name in parts && name !== 'e2e')
  if (chosen.includes('e2e') && beside.length > 0 && availableParallelism() > 2) {
    inBlocks = true
    await Promise.all([inTurn(['e2e']), inTurn(beside)])
    inBlocks = false
    await inTurn(chosen.filter((name) => !(name in parts)))
  } else await inTurn(chosen)
  rmSync(results, { recursive: true, force: true })
  // A long output is read from its end, so what failed is said there once more.
  for (const failure of failures)
    say(`\n✗ ${stripVTControlCharacters(failure).split('\n').slice(0, 12).join('\n  ')}`)
  say(`\n${times.join(', ')}; ${((Date.now() - started) / 60_000).toFixed(1)} minutes in all`)
  say(`${total.passed} passed, ${total.failed} failed`)
  return total.failed ? 1 : 0
})
