import type { IncomingMessage, ServerResponse } from 'node:http'

export function send(
  reply: ServerResponse,
  content: string | Buffer,
  type: string,
  headers: Record<string, string>,
): void {
  reply.writeHead(200, { ...headers, 'content-type': type }).end(content)
}

export const missing = (reply: ServerResponse) =>
  void reply.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found"}')

/** The value of a cookie. */
export const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
