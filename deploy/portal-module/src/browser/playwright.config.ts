import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const dir = process.env.PORTAL_TEST_DIR ?? process.cwd()

/** How `portal-module test --browser` runs the tests in a module's `browser` folder. */
export default defineConfig({
  testDir: join(dir, 'browser'),
  outputDir: join(dir, 'test-results'),
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Africa/Bamako',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.PORTAL_BROWSER && { executablePath: process.env.PORTAL_BROWSER }),
      // A container usually has one user, and a browser refuses its own sandbox for root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
})
