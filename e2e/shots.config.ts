import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run shots`: the same stage and browser as the journeys, and pictures instead of assertions. */
export default defineConfig({
  ...journeys,
  testDir: join(import.meta.dirname, 'shots'),
  outputDir: join(import.meta.dirname, 'test-results/shots'),
  timeout: 900_000,
  projects: [{ name: 'pictures' }],
  use: { ...journeys.use, actionTimeout: 10_000 },
  reporter: 'list',
})
