import { rspack } from '@rspack/core'
import config from './rspack.config.mjs'

rspack(config, (fault, stats) => {
  if (!fault && !stats?.hasErrors()) return
  console.error(fault ?? stats?.toString('errors-only'))
  process.exitCode = 1
})
