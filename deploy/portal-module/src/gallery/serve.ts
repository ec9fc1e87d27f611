import { createServer } from 'node:http'
import { listen } from '../listen.ts'
import { answerFile, pageFiles } from '../page-files.ts'
import { messageOf } from '../refusal.ts'

type Options = {
  /** The folder with the React and the packages that the page is built with. */
  dir: string
  /** 0 means any free port. */
  port: number
  say: (line: string) => void
}

/** Serves the gallery until the process ends. It is rebuilt each time the page is loaded. */
export async function serveGallery({ dir, port, say }: Options): Promise<void> {
  let files = await pageFiles('gallery', dir)
  let building: Promise<unknown> = Promise.resolve()
  const rebuild = () => {
    building = building.then(async () => {
      files = await pageFiles('gallery', dir)
    })
    // A failed build must not fail the next one.
    const outcome = building
    building = building.catch(() => undefined)
    return outcome
  }
  const server = createServer((request, reply) => {
    if (request.url?.split('?')[0] !== '/') return answerFile(files, request.url, reply)
    rebuild().then(
      () => answerFile(files, request.url, reply),
      (fault) => reply.writeHead(500, { 'content-type': 'text/plain' }).end(messageOf(fault)),
    )
  })
  await listen(server, port)
  const address = server.address()
  say(`The gallery: http://localhost:${typeof address === 'object' ? address?.port : port}/`)
}
