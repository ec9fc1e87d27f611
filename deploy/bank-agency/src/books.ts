import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order, OrderFile } from './orders.ts'

/** A payment of the bank's own ledger. */
export type Payment = Order & {
  message_id: string
  /** The bank's id of a payment that it made; null if it refused. */
  transaction: string | null
  /** Why it refused. */
  reason: string | null
  at: string
}

const refusals: Record<string, string> = { '01': 'AC04', '02': 'AC01', '03': 'AC06' }
/** The last two digits of the account number: bank 5, branch 5, account 12, key 2; an IBAN has four characters before. */
export const lastTwo = (account: string) => account.slice(-4, -2)

/** The bank's ledger. A line is on disk before anybody is told. */
export class Books {
  readonly payments: Payment[] = []
  readonly #path: string

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'ledger.jsonl')
    if (existsSync(this.#path))
      for (const line of readFileSync(this.#path, 'utf8').split('\n'))
        if (line) this.payments.push(JSON.parse(line) as Payment)
  }

  get moved() {
    return this.payments.reduce((sum, { reason, amount }) => sum + (reason === null ? amount : 0), 0)
  }
  of(messageId: string) {
    return this.payments.filter(({ message_id }) => message_id === messageId)
  }

  /** Pays what a file orders. Returns false for a file that was taken before. */
  take({ message_id, orders }: OrderFile): boolean {
    if (this.of(message_id).length > 0) return false
    const names = new Set(this.payments.map(({ end_to_end_id }) => end_to_end_id))
    for (const order of orders) {
      const reason = names.has(order.end_to_end_id) ? 'AM05' : (refusals[lastTwo(order.account)] ?? null)
      const transaction = reason === null ? `BK${String(this.payments.length + 1).padStart(10, '0')}` : null
      const payment = { ...order, message_id, transaction, reason, at: new Date().toISOString() }
      appendFileSync(this.#path, `${JSON.stringify(payment)}\n`)
      this.payments.push(payment)
      names.add(order.end_to_end_id)
    }
    return true
  }
}
