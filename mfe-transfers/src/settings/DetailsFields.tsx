import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Problem } from '@portal/client/problem'
import { spokenProtocols } from '@portal/contracts/transfers/agencies'
import { detailFields, isNeeded } from '@portal/contracts/transfers/agency-details'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { Icon } from '@portal/ui/Icon'
import { useState } from 'react'
import { protocolName } from './protocol-name.ts'

/** The name of a detail; of one that the portal does not know, its key. */
export function detailLabel(name: string): string {
  const labels: Record<string, string> = {
    protocol: t`Protocol`,
    wallet: t`Wallet`,
    api_key: t`API key`,
    token_url: t`Address for tokens`,
    client_secret: t`Client secret`,
    paying_account: t`Paying account`,
    client_id: t`Client identifier`,
    callback_secret: t`Secret of callbacks`,
    payer_name: t`Name of the payer`,
    payer_account: t`Account of the payer`,
    payer_bank: t`Bank of the payer (BIC)`,
    account: t`Account`,
    token: t`Token`,
    concurrency: t`Calls at once`,
    rate: t`Orders per second`,
    timeout_ms: t`Longest call (ms)`,
    progress_minutes: t`Minutes without progress`,
    number_prefixes: t`Prefixes of numbers`,
  }
  return labels[name] ?? name
}

function detailHelp(name: string): string | undefined {
  const helps: Record<string, string> = {
    wallet: t`The wallet that pays, as the agency’s portal names it.`,
    paying_account: t`Its kind and its identifier, such as organisationid:7001.`,
    token_url: t`Only if the operator asks for tokens (OAuth 2). Then an API key is needed only if it asks for both.`,
    payer_name: t`As the bank knows it. It stands in every file.`,
    payer_account: t`IBAN or RIB of the account that pays, without spaces.`,
    callback_secret: t`Only if the agency reports payments to the portal. Reports with another signature are refused.`,
  }
  return helps[name]
}

/** The form's `details`, which are one JSON text, as fields. */
type Props = {
  value: string
  onChange: (text: string) => void
  /** The error of the whole field, and those of single details in the latest refusal. */
  error: string | undefined
  problem: Problem | null
  /** The credentials that are stored and must be typed anew. */
  secrets?: readonly string[]
}
type Details = Record<string, unknown>

/** Protocol and account of an agency, with the fields that its protocol needs. */
export function DetailsFields({ value, onChange, error, problem, secrets = [] }: Props) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(() => read(value))
  // The value was changed from outside: somebody else's was taken over.
  if (typed.text !== value) setTyped(read(value))
  const { own, more } = typed
  const write = (next: { own: Details; more: string }) => {
    const text = join(next)
    setTyped({ ...next, text })
    onChange(text)
  }
  const protocol = spokenProtocols.find((one) => one === own.protocol)
  const fields = protocol ? detailFields[protocol] : []
  const has = (name: string) => Boolean(own[name])
  const errorOf = (name: string) => problem?.errors[`details.${name}`]?.[0]
  const elsewhere = Object.entries(problem?.errors ?? {}).find(
    ([path]) =>
      path.startsWith('details.') && ![...fields.map(({ name }) => name), 'protocol'].includes(path.slice(8)),
  )
  const others = fields.some(({ name }) => errorOf(name)) || errorOf('protocol') ? undefined : error
  return (
    <>
      <FieldFrame
        label={detailLabel('protocol')}
        required
        error={errorOf('protocol') ?? (value === '' ? error : undefined)}
      >
        {(worn) => (
          <span className="select">
            <select
              className="input"
              {...worn}
              value={typeof own.protocol === 'string' ? own.protocol : ''}
              onChange={({ target }) => write({ own: { protocol: target.value || undefined }, more })}
            >
              <option value="">{t`Choose…`}</option>
              {spokenProtocols.map((one) => (
                <option key={one} value={one}>
                  {protocolName(one)}
                </option>
              ))}
            </select>
            <Icon name="down" size={16} />
          </span>
        )}
      </FieldFrame>
      {fields.map(({ name, open, ...field }) => (
        <FieldFrame
          key={name}
          label={detailLabel(name)}
          required={isNeeded(field, has) || (typeof field.required === 'boolean' && secrets.includes(name))}
          help={
            detailHelp(name) ??
            (secrets.includes(name)
              ? t`Write it anew: it is encrypted and never shown.`
              : open
                ? undefined
                : t`It is encrypted and never shown again.`)
          }
          error={errorOf(name)}
        >
          {(worn) => (
            <input
              className="input"
              type={open ? 'text' : 'password'}
              autoComplete={open ? 'off' : 'new-password'}
              spellCheck={false}
              {...worn}
              value={String(own[name] ?? '')}
              onChange={({ target }) => write({ own: { ...own, [name]: target.value || undefined }, more })}
            />
          )}
        </FieldFrame>
      ))}
      <FieldFrame
        label={t`More details (JSON)`}
        help={t`Optional, as a JSON object: "concurrency" (calls at once), "rate" (orders per second), "timeout_ms", "progress_minutes", "number_prefixes".`}
        error={
          (elsewhere && `${elsewhere[0].slice(8)}: ${elsewhere[1][0]}`) ?? (value === '' ? undefined : others)
        }
      >
        {(worn) => (
          <textarea
            className="input"
            rows={2}
            spellCheck={false}
            {...worn}
            value={more}
            onChange={({ target }) => write({ own, more: target.value })}
          />
        )}
      </FieldFrame>
    </>
  )
}

/** Splits the details into those that have a field, and the rest as a text. */
function read(text: string): { text: string; own: Details; more: string } {
  const details = parse(text)
  if (!details) return { text, own: {}, more: text }
  const protocol = spokenProtocols.find((one) => one === details.protocol)
  const named = ['protocol', ...(protocol ? detailFields[protocol].map(({ name }) => name) : [])]
  const part = (mine: boolean) =>
    Object.fromEntries(Object.entries(details).filter(([name]) => named.includes(name) === mine))
  const rest = part(false)
  return { text, own: part(true), more: Object.keys(rest).length > 0 ? JSON.stringify(rest, null, 2) : '' }
}

/** The details as one text. What is no JSON object stays as it was typed, so that the form refuses it. */
function join({ own, more }: { own: Details; more: string }): string {
  const rest = more.trim() === '' ? {} : parse(more)
  if (!rest) return more
  const details = JSON.parse(JSON.stringify({ ...rest, ...own })) as Details
  return Object.keys(details).length > 0 ? JSON.stringify(details) : ''
}

function parse(text: string): Details | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Details) : null
  } catch {
    return null
  }
}
