import { runPortal } from './portal.mjs'
import { main } from './say.mjs'

await main(async () => {
  await runPortal({
    api: ['--watch', '--watch-preserve-output'],
    extra: [{ name: 'dev', script: 'shared/build/src/dev.ts' }],
  })
  process.exit(0)
})
