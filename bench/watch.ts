/** Loaded before a worker. Measures its memory and event-loop delay, and reports them on request. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
let idleBytes = 0
let peakBytes = 0
// The peak is reset at `start`: starting (stripping the types of all modules) needs memory that the work does not.
setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, 20).unref()
process.on('message', (word) => {
  if (word === 'start') {
    loop.reset()
    idleBytes = process.memoryUsage.rss()
    peakBytes = idleBytes
  } else process.send?.({ idleBytes, peakBytes, longestMs: loop.max / 1e6, p99Ms: loop.percentile(99) / 1e6 })
})
