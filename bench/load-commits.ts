import { setInterval as every } from 'node:timers/promises'
import pg from 'pg'

/** As often as people save something. */
const everyMs = 150

/**
 * Updates a row and commits, by the driver alone, while people work: no edit is faster than that. The returned function ends
 * it and has how long each took in ms.
 */
export async function commitAgain(ownerUrl: string): Promise<{ end: () => Promise<number[]> }> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query('create table bench_commits (n int not null); insert into bench_commits values (0)')
  const times: number[] = []
  const over = new AbortController()
  const work = async () => {
    for await (const _ of every(everyMs)) {
      if (over.signal.aborted) return
      const began = performance.now()
      await client.query({ name: 'commit', text: 'update bench_commits set n = n + 1' })
      times.push(performance.now() - began)
    }
  }
  const working = work()
  // Whoever ends it is told of a statement that failed.
  working.catch(() => {})
  return {
    async end() {
      over.abort()
      await working.finally(() => client.end())
      return times
    },
  }
}
