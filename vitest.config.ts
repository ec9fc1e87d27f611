import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { vitestLingui } from './shared/i18n/src/vitest-lingui.ts'

const inScreens = '{shared/{client,ui,screens,workbench,sdk},mfe-*}/**/*.test.{ts,tsx}'
const never = ['**/node_modules/**', '**/dist/**', '**/.data/**', 'deploy/examples/**', '**/template/**']

/** Files that take longest. They begin first, because a worker that begins one at the end leaves the others idle. */
const longest =
  /((wrong-values|people-erased|transfers\/(cohorts|payments)\/(money|hostile|lines|rounds|import)|imports\/registers|sending-restore|routes-table|samples|audit\/checkpoints|crash)|portal-module\/test\/(command|keys|check|recipes))\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Six projects: rules and servers without a database, screens, the shell, the api on a real PostgreSQL, its faults,
 * which take longer and run by `npm run faults`, and what needs programs of Debian, by `npm run test:deploy`.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          include: [
            'shared/{contracts,excel,i18n,build}/**/*.test.ts',
            'deploy/**/*.test.ts',
            'scripts/**/*.test.mjs',
          ],
          exclude: never,
          testTimeout: 120_000,
        },
      },
      {
        plugins: [vitestLingui()],
        // The test files of a worker share its page and its modules: making them for each file took three quarters of the time.
        // Each test removes what it has drawn.
        test: {
          name: 'browser',
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['vitest.setup.ts'],
          include: [inScreens],
          exclude: never,
        },
      },
      {
        plugins: [vitestLingui()],
        // Modules of the shell keep what a page has once: its session, its router, the hashes of files.
        test: {
          name: 'shell',
          environment: 'happy-dom',
          include: ['shell/**/*.test.{ts,tsx}'],
          exclude: never,
        },
      },
      {
        test: {
          name: 'api',
          include: ['api/**/*.test.ts'],
          exclude: never,
          // The test files of a worker share the api's modules: loading them for each file took a fifth of the time. The modules
          // keep nothing of a portal but the counters of metrics, so a test compares those before and after.
          isolate: false,
          globalSetup: ['api/test/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'deploy',
          include: ['api/**/*.deploy.ts'],
          exclude: never,
          globalSetup: ['api/test/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['api/**/*.faults.ts'],
          exclude: never,
          globalSetup: ['api/test/global-setup.ts'],
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
