import type { IncomingMessage, RequestListener } from 'node:http'
import { settlePending } from './behaviour.ts'
import type { Journal } from './journal.ts'
import type { Entry, Event, Ledger } from './ledger.ts'
import { type Agency, accountPaths, answerAccount } from './payments.ts'
import { type Answer, send } from './reply.ts'
import { Refusal, readHistory, readSettings } from './requests.ts'

type Options = { ledger: Ledger; journal: Journal<Event>; token: string | undefined; seeding: boolean }

/** The HTTP server of the agency: the customer's account, and the calls with which operators and tests read and set it. */
export function serveAgency(options: Options): RequestListener {
  const { ledger, journal } = options
  const record = (event: Event) => {
    ledger.apply(event)
    journal.append(event)
  }
  settlePending(ledger, record)
  const agency = { ...options, record, load: { orders: 0, most: 0 } }

  return (request, response) => {
    void answer(agency, request)
      .catch(refuse)
      .then((given) => send(response, given))
  }
}

async function answer(agency: Agency & { seeding: boolean }, request: IncomingMessage): Promise<Answer> {
  const { ledger, journal, record, load } = agency
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  if (accountPaths.test(path)) {
    return answerAccount(agency, request, path, new URLSearchParams(query))
  }
  switch (`${request.method} ${path}`) {
    case 'GET /health':
      return ok({ status: 'ok', service: 'sandbox-agency', pid: process.pid })
    case 'GET /settings':
      return ok(ledger.settings)
    case 'PUT /settings':
      record({ event: 'settings', settings: await readSettings(request), at: new Date().toISOString() })
      load.most = load.orders
      await journal.durable()
      return ok(ledger.settings)
    case 'GET /ledger': {
      await journal.durable()
      return ok({ entries: Array.from(ledger.entries.values(), ledgerLine) })
    }
    case 'GET /ledger/movements': {
      await journal.durable()
      return ok({ movements: ledger.movements })
    }
    case 'GET /ledger/load':
      return ok(load)
    case 'GET /ledger/summary':
      await journal.durable()
      return ok(ledger.summary)
    case 'POST /ledger/import': {
      if (!agency.seeding) throw new Refusal(403, 'seeding_off', 'Only with SANDBOX_AGENCY_SEED=yes.')
      const history = await readHistory(request)
      const before = ledger.entries.size
      for (const entry of history) if (!ledger.entries.has(entry.key)) record({ event: 'imported', ...entry })
      await journal.durable()
      return ok({ imported: ledger.entries.size - before })
    }
    default:
      throw new Refusal(404, 'not_found', 'There is no such address.')
  }
}

function ledgerLine({ key, reference, phone, amount, received, executed, result, at }: Entry) {
  return { key, reference, phone, amount, received, executed, result, at }
}

function ok(body: unknown): Answer {
  return { status: 200, body }
}

function refuse(error: unknown): Answer {
  if (error instanceof Refusal)
    return { status: error.status, body: { code: error.code, message: error.message } }
  // A caller that disconnects before the body is complete has ordered nothing.
  if ((error as { code?: string }).code === 'ECONNRESET') return 'cut the line'
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  return { status: 500, body: { code: 'internal_error', message: 'The agency failed.' } }
}
