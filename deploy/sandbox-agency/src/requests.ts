import type { IncomingMessage } from 'node:http'
import type { History, Instruction, Settings } from './ledger.ts'
import { modes, type Place, places } from './modes.ts'

/** A request that is answered with this status and code instead of being carried out. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Fields = { [name: string]: unknown }
type Check = (value: unknown) => boolean

const maxBodyBytes = 8 << 20
const maxImport = 5_000
/** Above this, amount × fee in hundredths of a percent exceeds the safe integers. */
const maxAmount = 100_000_000_000

const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 200
const isPhone: Check = (value) => typeof value === 'string' && /^\+[1-9]\d{6,14}$/.test(value)
const isKey: Check = (value) => typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)
const isWhole = (min: number, max: number): Check => {
  return (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}
/** A percentage with at most two decimals. */
const isPercent: Check = (value) =>
  typeof value === 'number' && value >= 0 && value <= 100 && Number(value.toFixed(2)) === value

const isPlace: Check = (value) => places.includes(value as Place)
const isListOf = (holds: Check): Check => {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(holds)
}

const ruleChecks: { [name: string]: Check } = {
  mode: (value) => typeof value === 'string' && Object.hasOwn(modes, value),
  percent: (value) => value === undefined || isPercent(value),
  numbers: (value) => value === undefined || isListOf((number) => /^\d\d$/.test(`${number}`))(value),
  on: (value) => value === undefined || isListOf(isPlace)(value),
  ms: (value) => value === undefined || isWhole(1, 600_000)(value),
}

const isRule: Check = (value) =>
  isFields(value) &&
  Object.keys(value).every((name) => Object.hasOwn(ruleChecks, name)) &&
  Object.entries(ruleChecks).every(([name, holds]) => holds(value[name]))

const settingChecks: { [name in keyof Settings]: Check } = {
  latency_ms: isWhole(0, 600_000),
  float_amount: (value) => value === null || isWhole(0, Number.MAX_SAFE_INTEGER)(value),
  lost_reply_percent: isPercent,
  fee_percent: isPercent,
  unreachable: (value) => typeof value === 'boolean',
  hostile: (value) => Array.isArray(value) && value.length <= 100 && value.every(isRule),
  corrected: (value) => Array.isArray(value) && value.length <= 1_000 && value.every(isPhone),
}

const instructionChecks: { [name: string]: Check } = {
  reference: isText,
  phone: isPhone,
  amount: isWhole(1, maxAmount),
  currency: (value) => value === 'XOF',
  name: (value) => value === undefined || value === null || isText(value),
}

const historyChecks: { [name in keyof History]: Check } = {
  key: isKey,
  reference: isText,
  phone: isPhone,
  amount: isWhole(1, maxAmount),
  result: (value) => value === 'success' || value === 'failed',
  reason: (value) => value === null || isText(value),
  at: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  fee: isWhole(0, maxAmount),
}

export function readKey(request: IncomingMessage): string {
  const key = request.headers['idempotency-key']
  if (!isKey(key)) throw invalid('The header Idempotency-Key is missing or not 1 to 200 visible characters.')
  return key as string
}

export async function readInstruction(request: IncomingMessage): Promise<Instruction> {
  const body = await readFields(request)
  check(body, instructionChecks)
  const { reference, phone, amount, name } = body as Instruction
  return { reference, phone, amount, name: name ?? null }
}

export async function readSettings(request: IncomingMessage): Promise<Partial<Settings>> {
  const body = await readFields(request)
  for (const [name, value] of Object.entries(body)) {
    const holds = Object.hasOwn(settingChecks, name) && settingChecks[name as keyof Settings](value)
    if (!holds) throw invalid(`${name} is not a setting, or its value is not one it can have.`)
  }
  return body
}

/** `since`: an instant; `after`: the number of the last one seen; `limit`: at most 1,000. */
export function readPage(query: URLSearchParams): { since: string; after: number; limit: number } {
  const since = query.get('since') ?? '1970-01-01T00:00:00.000Z'
  const after = Number(query.get('after') ?? 0)
  const limit = Number(query.get('limit') ?? 1_000)
  if (Number.isNaN(Date.parse(since))) throw invalid('since is not an instant.')
  if (!isWhole(0, Number.MAX_SAFE_INTEGER)(after)) throw invalid('after is not a number of this list.')
  if (!isWhole(1, 1_000)(limit)) throw invalid('limit is not a number from 1 to 1000.')
  return { since: new Date(since).toISOString(), after, limit }
}

export async function readHistory(request: IncomingMessage): Promise<History[]> {
  const { entries } = await readFields(request)
  if (!Array.isArray(entries) || entries.length > maxImport) {
    throw invalid(`entries must be an array of at most ${maxImport}.`)
  }
  return entries.map((entry: unknown, index) => {
    if (!isFields(entry)) throw invalid(`entries.${index} must be an object.`)
    check(entry, historyChecks, `entries.${index}.`)
    const { key, reference, phone, amount, result, reason, at, fee } = entry as History
    return { key, reference, phone, amount, result, reason, at, fee }
  })
}

function check(body: Fields, checks: { [name: string]: Check }, prefix = ''): void {
  for (const [name, holds] of Object.entries(checks)) {
    if (!holds(body[name])) throw invalid(`${prefix}${name} is missing or not valid.`)
  }
}

async function readFields(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Refusal(413, 'too_large', 'The body is larger than 8 MiB.')
    chunks.push(chunk)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw invalid('The body is not JSON.')
  }
  if (!isFields(body)) throw invalid('The body must be a JSON object.')
  return body
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request', message)
}
