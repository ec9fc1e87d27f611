import { Trans, useLingui } from '@lingui/react/macro'
import { formatNumber } from '@portal/i18n/format'
import { Icon } from './Icon.tsx'
import { follow } from './link.tsx'

/** The pages to offer: first, last and current always there, ten links at most, `null` for a gap. */
export function pagerWindow(page: number, last: number): (number | null)[] {
  if (last <= 10) return Array.from({ length: Math.max(last, 1) }, (_, at) => at + 1)
  const current = Math.min(Math.max(page, 1), last)
  const shown = new Set([1, 2, last - 1, last])
  const start = current <= 5 ? 1 : current >= last - 4 ? last - 6 : current - 2
  const end = current <= 5 ? 7 : current >= last - 4 ? last : current + 2
  for (let at = start; at <= end; at += 1) shown.add(at)
  const pages: (number | null)[] = []
  let before = 0
  for (const at of [...shown].sort((a, b) => a - b)) {
    if (at > before + 1) pages.push(at === before + 2 && shown.size < 10 && shown.add(at - 1) ? at - 1 : null)
    pages.push(at)
    before = at
  }
  return pages
}

type PagerProps = {
  page: number
  last: number
  perPage: number
  total: number
  /** There are more rows, which this list neither counts nor shows. */
  capped?: boolean | undefined
  /** Address of a page, so that it can be opened elsewhere and copied. */
  href: (page: number) => string
  onPage?: (page: number) => void
}

/** The range that is shown, the total, and the links to the other pages. */
export function Pager({ page, last, perPage, total, capped, href, onPage }: PagerProps) {
  const { t } = useLingui()
  const from = formatNumber(Math.min((page - 1) * perPage + 1, total))
  const range = `${from}-${formatNumber(Math.min(page * perPage, total))}`
  const all = `${formatNumber(total)}${capped ? '+' : ''}`
  const link = (to: number, onlyIcon?: 'left' | 'right') => {
    const away = Math.abs(to - page) > 1 && to !== 1 && to !== last
    const label = onlyIcon === 'left' ? t`Previous page` : onlyIcon ? t`Next page` : undefined
    // At the ends a link keeps its address, and with it the focus.
    const off = to < 1 || to > last
    return (
      <a
        key={onlyIcon ?? to}
        href={href(off ? page : to)}
        onClick={follow(off ? () => undefined : onPage && (() => onPage(to)))}
        aria-disabled={off || undefined}
        aria-label={label}
        aria-current={to === page && !onlyIcon ? 'page' : undefined}
        className={off ? 'off' : away && !onlyIcon ? 'mid' : undefined}
        rel={onlyIcon === 'left' ? 'prev' : onlyIcon ? 'next' : undefined}
      >
        {onlyIcon ? <Icon name={onlyIcon} size={16} /> : formatNumber(to)}
      </a>
    )
  }
  return (
    <>
      <span role="status">
        {total === 0 ? (
          <Trans>0 rows</Trans>
        ) : (
          <Trans>
            {range} of {all}
          </Trans>
        )}
        {capped && page === last && (
          <>
            {' '}
            <Trans>There are more: narrow the list to see them.</Trans>
          </>
        )}
      </span>
      {last > 1 && (
        <nav className="pager" aria-label={t`Pages`}>
          {link(page - 1, 'left')}
          {pagerWindow(page, last).map((at, place) =>
            at === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap is known by its place only
              <span key={`gap ${place}`} className="mid">
                …
              </span>
            ) : (
              link(at)
            ),
          )}
          {link(page + 1, 'right')}
        </nav>
      )}
    </>
  )
}
