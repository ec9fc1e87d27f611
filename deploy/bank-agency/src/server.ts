import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { again, final, received, statement } from './answers.ts'
import type { Books } from './books.ts'
import { readOrders } from './orders.ts'

/** Serves the bank's counter: files in, answers, statement and ledger out. */
export function serveBank(books: Books) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, body: object | string) => {
      const xml = typeof body === 'string'
      response.writeHead(status, { 'content-type': xml ? 'application/xml' : 'application/json' })
      response.end(xml ? body : JSON.stringify(body))
    }
    const path = new URL(request.url ?? '/', 'http://bank').pathname
    const [, kind, messageId = '', which] = path.split('/')
    try {
      if (request.method === 'POST' && path === '/files') {
        const file = readOrders(await text(request))
        return send(200, { message_id: file.message_id, taken: books.take(file) })
      }
      const answers: Record<string, () => string> = {
        received: () => received(messageId, books.of(messageId)),
        final: () => final(messageId, books.of(messageId)),
        again: () => again(messageId),
      }
      const answer = which && answers[which]
      if (kind === 'answers' && answer && books.of(messageId).length > 0) return send(200, answer())
      if (path === '/statement') return send(200, statement(books.payments))
      if (path === '/ledger') {
        const files = new Set(books.payments.map(({ message_id }) => message_id)).size
        return send(200, { payments: books.payments, moved: books.moved, files })
      }
      send(404, { message: 'There is nothing here.' })
    } catch (error) {
      send(422, { message: error instanceof Error ? error.message : 'The file cannot be read.' })
    }
  }
}
