import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config.ts'

/** Every page and dialog of every role, and all of them in French on a phone: longer than `npm test` may take. */
export default defineConfig({
  ...journeys,
  projects: [{ name: 'visits' }],
  testDir: import.meta.dirname,
  outputDir: join(import.meta.dirname, 'test-results'),
})
