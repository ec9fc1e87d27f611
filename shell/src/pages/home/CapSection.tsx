import { Trans, useLingui } from '@lingui/react/macro'
import type { HomeStatistics } from '@portal/contracts/home'
import { lazy } from '@portal/screens/lazy'
import { Card } from '@portal/ui/Card'
import { Segmented } from '@portal/ui/Filters'
import { useSearchParams } from 'react-router-dom'
import { CapTable } from './CapTable.tsx'

const CapChart = lazy(() => import('./CapChart.tsx'), 'CapChart')

/** Disbursement by CAP, as a table or drawn; which of them stands in the address. */
export function CapSection({ statistics }: { statistics: HomeStatistics | undefined }) {
  const { t } = useLingui()
  const [url, setUrl] = useSearchParams()
  const view = url.get('view') === 'chart' ? 'chart' : 'table'
  const rows = statistics?.disbursementByCap
  const show = (chosen: 'table' | 'chart') => {
    const next = new URLSearchParams(url)
    if (chosen === 'chart') next.set('view', chosen)
    else next.delete('view')
    setUrl(next, { replace: true, preventScrollReset: true })
  }
  return (
    <Card
      title={<Trans>Disbursement by CAP</Trans>}
      text={<Trans>Amount transferred since the first round, from the highest to the lowest.</Trans>}
      actions={
        <Segmented
          label={t`Show as`}
          segments={[
            { value: 'table', label: t`Table` },
            { value: 'chart', label: t`Chart` },
          ]}
          value={view}
          onChange={show}
        />
      }
    >
      {view === 'chart' && rows && rows.length > 0 ? <CapChart rows={rows} /> : <CapTable rows={rows} />}
    </Card>
  )
}
