import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config.ts'

/** Every page and dialog of every role, all of them in French on a phone, and long journeys once more: more than `npm test` has time for. */
export default defineConfig({
  ...journeys,
  projects: [
    { name: 'visits', testDir: import.meta.dirname },
    { name: 'once-more', grep: /@once-more/ },
  ],
  outputDir: join(import.meta.dirname, 'test-results'),
})
