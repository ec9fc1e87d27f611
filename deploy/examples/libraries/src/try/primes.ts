/** How many primes there are below a number. */
export const primesBelow = (limit: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./primes.worker.ts', import.meta.url))
    const end = () => worker.terminate()
    worker.onmessage = ({ data }) => {
      resolve(data)
      end()
    }
    worker.onerror = ({ message }) => {
      reject(new Error(message))
      end()
    }
    worker.postMessage(limit)
  })
