import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import journeys from '../../playwright.config.ts'

/** Processes are killed here: a portal of its own, supervised as `npm start` supervises it. */
export default defineConfig({
  ...journeys,
  projects: [{ name: 'processes' }],
  testDir: import.meta.dirname,
  outputDir: join(import.meta.dirname, 'test-results'),
  globalSetup: join(import.meta.dirname, 'global-setup.ts'),
  timeout: 180_000,
})
