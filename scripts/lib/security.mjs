// `npm run security` runs the tests that hold what OWASP ASVS 5 (level 2) asks for, over HTTP and in Chromium, and prints
// how many there are by chapter. All of them are part of `npm test` as well, so `npm test -- all` leaves this part out. It
// fails when a test fails, when a file of the table has no test, or when there are fewer than 230.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { root } from './paths.mjs'
import { say } from './say.mjs'

const least = 230

/** The chapters and the test files that stand for them. A file is named once. @type {Record<string, string[]>} */
export const chapters = {
  'V1 Encoding and sanitization': [
    'api/test/exports/samples.test.ts',
    'api/src/excel/write.test.ts',
    'api/src/excel/rejected.test.ts',
    'api/src/excel/further-sheets.test.ts',
  ],
  'V2 Validation and business logic': [
    'api/test/server/wrong-values.test.ts',
    'api/test/transfers/cohorts/four-eyes.test.ts',
    'api/test/transfers/cohorts/frozen-list.test.ts',
    'e2e/journeys/bad-input.spec.ts',
    'api/test/transfers/cohorts/budgets.test.ts',
    'api/test/transfers/cohorts/budgets-decided.test.ts',
    'api/test/transfers/cohorts/limits.test.ts',
    'api/test/server/random-calls.test.ts',
    'api/test/access/forms-twice.test.ts',
  ],
  'V3 Web frontend': [
    'e2e/journeys/modules-platform.spec.ts',
    'deploy/gateway/test/gateway.test.ts',
    'deploy/gateway/test/frames.test.ts',
    'deploy/gateway/test/live.test.ts',
    'deploy/gateway/test/module-files.test.ts',
    'deploy/gateway/test/canary.test.ts',
    'deploy/gateway/test/override.test.ts',
    'shell/src/session/own-path.test.ts',
  ],
  'V4 API and web service': [
    'api/test/server/answers.test.ts',
    'api/test/server/server.test.ts',
    'api/test/server/body-limits.test.ts',
    'api/test/server/hostile-input.test.ts',
  ],
  'V5 File handling': [
    'api/test/imports/workbooks.test.ts',
    'api/src/excel/refused.test.ts',
    'api/test/exports/rights.test.ts',
    'api/test/cases/case-documents.test.ts',
    'api/test/imports/students.test.ts',
    'api/test/server/virus-scan.test.ts',
    'api/test/server/hostile-files.test.ts',
    'api/test/imports/hostile-files.test.ts',
    'api/test/modules/hostile-files.test.ts',
    'api/src/excel/hostile-files.test.ts',
    'api/src/transfers/connectors/hostile-files.test.ts',
    'api/src/transfers/statements/hostile-files.test.ts',
  ],
  'V6 Authentication': [
    'api/test/access/sign-in.test.ts',
    'api/test/access/accounts.test.ts',
    'api/test/access/accounts-codes.test.ts',
    'api/test/access/codes-required.test.ts',
    'e2e/journeys/people-codes.spec.ts',
    'api/test/access/fresh.test.ts',
    'api/test/access/passwords-at-once.test.ts',
    'api/test/access/rate-limiter.test.ts',
  ],
  'V7 Session management': ['e2e/journeys/session.spec.ts', 'e2e/journeys/people-account.spec.ts'],
  'V8 Authorization': [
    'api/test/server/routes-table.test.ts',
    'api/test/access/roles.test.ts',
    'api/test/access/grants.test.ts',
    'api/test/access/roles-together.test.ts',
    'api/test/access/users.test.ts',
    'api/test/access/profiles.test.ts',
    'api/test/imports/people.test.ts',
    'api/test/imports/registers.test.ts',
    'api/test/imports/review.test.ts',
    'api/test/modules/isolated.test.ts',
    'api/test/modules/module-settings.test.ts',
    'api/test/modules/module-permissions.test.ts',
    'api/test/modules/picture-rights.test.ts',
    'api/test/cases/case-rights.test.ts',
    'api/test/transfers/cohorts/permissions.test.ts',
    'shared/contracts/src/fresh.test.ts',
  ],
  'V9 Self-contained tokens': ['api/test/access/survey.test.ts', 'api/test/cases/external.test.ts'],
  'V10 OAuth and OIDC': [
    'api/test/access/sign-in-with.test.ts',
    'api/test/access/sign-in-with-codes.test.ts',
    'e2e/journeys/sign-in-with.spec.ts',
  ],
  'V11 Cryptography': [
    'api/test/installation/installation.test.ts',
    'api/test/transfers/payments/sending-mark.test.ts',
  ],
  'V12 Secure communication': ['api/test/server/https.test.ts'],
  'V13 Configuration': [
    'api/test/transfers/agencies/settings.test.ts',
    'api/test/transfers/agencies/agency-addresses.test.ts',
    'api/test/transfers/agencies/agency-changes.test.ts',
    'api/src/kit/http/identity-providers.test.ts',
    'scripts/start.test.mjs',
  ],
  'V14 Data protection': ['api/test/audit/reads-audited.test.ts'],
  'V15 Secure coding and architecture': [
    'api/test/modules/modules.test.ts',
    'scripts/licences.test.mjs',
    'api/test/modules/admission.test.ts',
    'api/test/modules/module-trust.test.ts',
    'api/test/modules/module-watchers.test.ts',
    'deploy/registry/test/admissions.test.ts',
    'deploy/registry/test/changes.test.ts',
    'deploy/registry/test/refusals.test.ts',
    'deploy/registry/test/revocations.test.ts',
  ],
  'V16 Logging and error handling': [
    'api/test/audit/audit.test.ts',
    'api/test/audit/tampering.test.ts',
    'api/test/audit/logs.test.ts',
    'api/test/audit/logs-export.test.ts',
    'api/test/audit/audit-words.test.ts',
    'api/test/audit/end.test.ts',
    'api/test/access/log-of-sign-ins.test.ts',
  ],
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} */
function run(args, env = process.env) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** @typedef {{ passed: number, failed: number, failures?: string[] }} Counts */

/** Runs files by Vitest. Answers the counts by file. @param {string[]} files @param {string} results folder for its output @returns {Promise<Map<string, Counts>>} */
async function byVitest(files, results) {
  const file = join(results, 'vitest.json')
  const reporters = [
    '--reporter=default',
    '--silent=passed-only',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const projects = ['--project', 'api', '--project', 'node', '--project', 'browser', '--project', 'shell']
  await run(['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files, ...reporters])
  /** @type {{ testResults: { name: string, assertionResults: { status: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    testResults.map(({ name, assertionResults }) => [
      name.slice(root.length + 1),
      {
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
        failed: assertionResults.filter(({ status }) => status === 'failed').length,
      },
    ]),
  )
}

/** Runs journeys by Playwright. Answers the counts by file. @param {string[]} files @param {string} results folder for its output @returns {Promise<Map<string, Counts>>} */
async function byBrowser(files, results) {
  if (await run(['shared/build/src/build-all.ts'])) return new Map()
  const file = join(results, 'playwright.json')
  const env = { ...process.env, PORTAL_BROWSER: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const runner = 'node_modules/@playwright/test/cli.js'
  await run([runner, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...files], env)
  /** @type {{ suites: Suite[] }} */
  const { suites } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    suites.map((suite) => {
      const specs = specsOf(suite)
      return [
        `e2e/journeys/${suite.file.split('/').at(-1)}`,
        { passed: specs.filter(({ ok }) => ok).length, failed: specs.filter(({ ok }) => !ok).length },
      ]
    }),
  )
}

/** A file, or a `describe` in it. @typedef {{ file: string, specs?: { ok: boolean }[], suites?: Suite[] }} Suite */

/** @param {Suite} suite @returns {{ ok: boolean }[]} */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/** Runs all of them and prints the table. @returns {Promise<Counts[]>} one for each chapter */
export async function checkSecurity() {
  const results = mkdtempSync(join(tmpdir(), 'portal-security-'))
  const files = Object.values(chapters).flat()
  const inBrowser = (/** @type {string} */ file) => file.startsWith('e2e/')
  const counts = new Map([
    ...(await byVitest(
      files.filter((file) => !inBrowser(file)),
      results,
    )),
    ...(await byBrowser(files.filter(inBrowser), results)),
  ])
  rmSync(results, { recursive: true, force: true })
  const table = Object.entries(chapters).map(([chapter, of]) => ({
    chapter,
    ...sum(of.map((file) => countOf(counts, file))),
  }))
  say('\n| chapter | passed | failed |\n|---|---|---|')
  for (const { chapter, passed, failed } of table) say(`| ${chapter} | ${passed} | ${failed} |`)
  if (sum(table).passed >= least) return table
  return [...table, { passed: 0, failed: 1, failures: [`There must be at least ${least} checks.`] }]
}

/** A file that is gone or has no test counts as one failure. @param {Map<string, Counts>} counts @param {string} file @returns {Counts} */
function countOf(counts, file) {
  const { passed, failed } = counts.get(file) ?? { passed: 0, failed: 0 }
  return passed + failed > 0
    ? { passed, failed }
    : { passed: 0, failed: 1, failures: [`${file} has no test`] }
}

/** @param {Counts[]} counts @returns {Counts} */
const sum = (counts) => ({
  passed: counts.reduce((all, { passed }) => all + passed, 0),
  failed: counts.reduce((all, { failed }) => all + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures),
})
