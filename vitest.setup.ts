import { afterAll, vi } from 'vitest'

/**
 * What a page prefetched may still be on its way when the last test of a file ends. Broken off, it would fail in the next test
 * file of the worker, which has the same modules.
 */
afterAll(() => vi.dynamicImportSettled(), 60_000)
