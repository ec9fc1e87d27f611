import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AgencyAccess, Report } from './connector.ts'
import { textOf } from './gsma-answers.ts'

/**
 * Operators sign no reports, and one of a failure names no payment. So each payment has an address of its own, which only
 * the holder of the agency's secret can make.
 */
export function reportTo({ callbackUrl, details }: AgencyAccess, reference: string): Record<string, string> {
  if (!callbackUrl || typeof details.callback_secret !== 'string') return {}
  const query = new URLSearchParams({ payment: reference, seal: sealOf(details.callback_secret, reference) })
  return { 'x-callback-url': `${callbackUrl}?${query}` }
}

/** The reference that the address of a report names, or null if its seal is missing or wrong. */
export function readReport(
  { callback_secret: secret }: Record<string, unknown>,
  { query }: Pick<Report, 'query'>,
): string[] | null {
  const [reference, given] = [textOf(query.payment), textOf(query.seal)]
  if (typeof secret !== 'string' || reference === null || !given || !/^[0-9a-f]{64}$/.test(given)) return null
  const due = Buffer.from(sealOf(secret, reference), 'hex')
  return timingSafeEqual(Buffer.from(given, 'hex'), due) ? [reference] : null
}

const sealOf = (secret: string, reference: string) =>
  createHmac('sha256', secret).update(`payment ${reference}`).digest('hex')
