/** Counts primes where the page does not wait for it. */
self.onmessage = ({ data }: MessageEvent<number>) => {
  let found = 0
  for (let each = 2; each < data; each += 1) {
    let prime = true
    for (let by = 2; by * by <= each; by += 1) if (each % by === 0) prime = false
    if (prime) found += 1
  }
  self.postMessage(found)
}
