import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import journeys from '../playwright.config.ts'

/** What is longer than `npm test` may take: every fault of a module, and old shells with new modules. */
export default defineConfig({
  ...journeys,
  projects: [{ name: 'faults' }],
  testDir: '..',
  testMatch: ['faults/*.spec.ts', 'versions/*.spec.ts'],
  outputDir: join(import.meta.dirname, 'test-results'),
  // Pictures that a test takes itself, to compare others with.
  snapshotPathTemplate: join(import.meta.dirname, 'test-results/pictures/{arg}{ext}'),
  timeout: 90_000,
})
