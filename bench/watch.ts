/** Loaded before a worker: measures its memory and how long its loop is kept waiting, and tells when asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
process.on('message', (word) => {
  if (word === 'start') loop.reset()
  else
    process.send?.({
      peakBytes: process.resourceUsage().maxRSS * 1024,
      longestMs: loop.max / 1e6,
      p99Ms: loop.percentile(99) / 1e6,
    })
})
