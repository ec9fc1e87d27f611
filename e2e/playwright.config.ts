import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser, withoutFeatures } from '../scripts/lib/browser.mjs'

const environment = process.env as Record<string, string>

const visits = /(accessibility-all|print)\.spec\.ts$/

/** One browser, one portal, one journey at a time: two cores are enough, and money is counted over the whole run. */
export default defineConfig({
  // The visits first: they change nothing, and find the demo as it was made.
  projects: [
    { name: 'visits', testMatch: visits },
    { name: 'journeys', testIgnore: visits, grepInvert: /@once-more/ },
  ],
  testDir: join(import.meta.dirname, 'journeys'),
  outputDir: join(import.meta.dirname, 'test-results'),
  globalSetup: join(import.meta.dirname, 'stage/global-setup.ts'),
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Generous: a busy machine is no fault of the portal.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Africa/Bamako',
    screenshot: 'only-on-failure',
    acceptDownloads: true,
    // What fades in has the colours of nothing half-way: a look at a dialog must not depend on the moment.
    contextOptions: { reducedMotion: 'reduce' },
    // What the worker fetches no journey could watch or break off; its own journey lets it in.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: findBrowser(),
      // One face on every machine, and the widest there is: what fits in it fits in any.
      env: { ...environment, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts/dejavu.conf') },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        withoutFeatures,
      ],
    },
  },
})
