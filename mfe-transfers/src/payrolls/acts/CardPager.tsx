import type { Page } from '@portal/contracts/fields'
import { Pager } from '@portal/ui/Pager'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

/** Which page of a card is shown. The address has it under the name of the card, beside the page's own list. */
export function useCardPage(name: string): number {
  const [search] = useSearchParams()
  const page = Number(search.get(name))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

type Props = { name: string; of: Page<unknown> | undefined }

/** The way to the rows of a card that do not fit on its page. */
export function CardPager({ name, of }: Props) {
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const page = useCardPage(name)
  const to = (number: number) => {
    const next = new URLSearchParams(search)
    if (number > 1) next.set(name, String(number))
    else next.delete(name)
    return next
  }
  // The rows of the last page have been decided: the page before it is the last.
  const last = of?.last_page ?? page
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another last page leads there
  useEffect(() => {
    if (page > last) setSearch(to(last), { replace: true, preventScrollReset: true })
  }, [page, last])
  if (!of || Math.max(of.last_page, of.current_page) <= 1) return null
  return (
    <div className="card-foot">
      <Pager
        page={of.current_page}
        last={of.last_page}
        perPage={of.per_page}
        total={of.total}
        capped={of.capped}
        href={(number) => `${pathname}?${to(number)}`}
        onPage={(number) => setSearch(to(number), { preventScrollReset: true })}
      />
    </div>
  )
}
