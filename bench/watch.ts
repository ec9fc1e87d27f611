/** Loaded before a worker: measures its memory and how long its loop is kept waiting, and tells when asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
let idleBytes = 0
let peakBytes = 0
// What a process took to start (stripping the types of all its modules) is not what its work takes.
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
