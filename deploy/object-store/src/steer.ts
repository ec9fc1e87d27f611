import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf } from './body.ts'
import type { Objects } from './objects.ts'

/** How the store misbehaves. */
export type Switches = {
  cut: { method: 'PUT' | 'GET'; after: number } | null
  damage: boolean
  full: boolean
  silent: boolean
  refuse: string | null
  min_part: number
}

/** The unsigned paths by which a test steers the store and looks into it. */
export async function steer(
  { objects, switches }: { objects: Objects; switches: Switches },
  request: IncomingMessage,
  reply: ServerResponse,
  url: URL,
) {
  const answer = (content: unknown) => reply.writeHead(200).end(JSON.stringify(content))
  if (url.pathname === '/-/settings') {
    const { body } = await bodyOf(request, Number.POSITIVE_INFINITY)
    return answer(Object.assign(switches, JSON.parse(body.toString())))
  }
  if (request.method === 'DELETE') {
    for (const all of objects.buckets.values()) all.delete(url.searchParams.get('key') ?? '')
    return answer({})
  }
  const stored = [...objects.buckets].flatMap(([bucket, all]) =>
    [...all].map(([key, { content }]) => ({ bucket, key, size: content.length })),
  )
  return answer({ objects: stored, uploads: [...objects.uploads.values()].map(({ key }) => key) })
}
