import { Trans, useLingui } from '@lingui/react/macro'
import type { ModuleStatus } from '@portal/contracts/modules'
import { formatDate, formatNumber, formatRate } from '@portal/i18n/format'
import { Nothing } from '@portal/ui/Money'
import { StatusPill, Tag } from '@portal/ui/StatusPill'
import { withheldText } from './words.ts'

/** Who published what is live. The product's own modules come with the portal. */
export function PublishedBy({ module: { runs, published_by } }: { module: ModuleStatus }) {
  if (runs === 'product') return <Trans>with the portal</Trans>
  return published_by ? <Trans>by {published_by}</Trans> : null
}

/** How a module stands, with the reason where it is not offered. */
export function ModulePill({ module }: { module: ModuleStatus }) {
  const { t } = useLingui()
  const { state, withheld, pinned, canary, beside, runs, carried_until } = module
  return (
    <span className="module-state">
      {state === 'live' && <StatusPill tone="good">{t`Live`}</StatusPill>}
      {state === 'disabled' && (
        <StatusPill tone="waiting" icon="stop">
          {t`Switched off`}
        </StatusPill>
      )}
      {state === 'withheld' && (
        <StatusPill tone="bad" icon="shield">
          {t`Withheld`}
        </StatusPill>
      )}
      {runs === 'trusted' && <Tag>{t`trusted`}</Tag>}
      {runs === 'isolated' && <Tag>{t`isolated`}</Tag>}
      {pinned && <Tag>{t`held at this version`}</Tag>}
      {state === 'withheld' && withheld && <small>{withheldText(withheld)}</small>}
      {carried_until && <Carried contract={module.contract} until={carried_until} />}
      {canary && <Canary {...canary} />}
      {beside.map((build) => (
        <Beside key={build.build} {...build} />
      ))}
    </span>
  )
}

function Canary({ version, percent, roles }: NonNullable<ModuleStatus['canary']>) {
  const names = roles.join(', ')
  const part = formatRate(percent ?? 0)
  return (
    <small>
      {percent === null ? (
        <Trans>
          {version} tried by {names}
        </Trans>
      ) : (
        <Trans>
          {version} tried by {part} of the people
        </Trans>
      )}
    </small>
  )
}

/** A live build for the major of the contract before: after that day the portal does not run it any more. */
function Carried({ contract, until }: { contract: string; until: string }) {
  const day = formatDate(until)
  return (
    <small>
      <Trans>
        for contract {contract}, by an adapter until {day}
      </Trans>
    </small>
  )
}

/** A live build for another major of the contract, which starts with a portal of that contract. */
const Beside = ({ version, contract }: ModuleStatus['beside'][number]) => (
  <small>
    <Trans>
      {version} stands by for contract {contract}
    </Trans>
  </small>
)

const seconds = (ms: number) =>
  ms < 1000 ? `${formatNumber(ms)}\u00a0ms` : `${formatNumber(ms / 1000, 1)}\u00a0s`

/** The end of the scale: longer times are drawn at its end. */
const longest = 8000
const share = (ms: number) => `${Math.max(2, Math.round((100 * Math.min(ms, longest)) / longest))}%`

/** How long pages take to open: half of them within the bar, all but one in twenty before the mark. */
export function LoadTime({ module }: { module: Pick<ModuleStatus, 'load_ms_median' | 'load_ms_p95'> }) {
  const { t } = useLingui()
  const { load_ms_median: median, load_ms_p95: p95 } = module
  if (median === null || p95 === null) return <Nothing />
  const [half, most] = [seconds(median), seconds(p95)]
  return (
    <span className="load-time" title={t`Half within ${half}, 19 of 20 within ${most}`}>
      <span className="load-track" aria-hidden="true">
        <span className="load-half" style={{ width: share(median) }} />
        <span className="load-most" style={{ left: share(p95) }} />
      </span>
      <span className="nowrap">
        <b>{half}</b> <span className="muted">· {most}</span>
      </span>
    </span>
  )
}
