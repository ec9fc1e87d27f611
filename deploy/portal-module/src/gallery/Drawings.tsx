import { useLingui } from '@lingui/react/macro'
import { formatPercent } from '@portal/i18n/format'
import { BarChart } from '@portal/ui/BarChart'
import { ColumnChart } from '@portal/ui/ColumnChart'
import { Figures } from '@portal/ui/Figures'
import { Money } from '@portal/ui/Money'
import { Bar, ProgressCard, ProgressEnded, Share } from '@portal/ui/Progress'
import { Timeline } from '@portal/ui/Timeline'
import { Shelf, Specimen } from './Specimen.tsx'
import '@portal/ui/chart.css'

/** Shares, amounts and charts. */
export function Drawings() {
  const { t } = useLingui()
  return (
    <Shelf title={t`Figures and charts`}>
      <Shares />
      <Charts />
    </Shelf>
  )
}

function Shares() {
  const { t } = useLingui()
  const parts = [
    { key: 'success', label: t`Success`, count: 117, tone: 'good' as const },
    { key: 'failed', label: t`Failed`, count: 3, tone: 'bad' as const },
  ]
  return (
    <>
      <Specimen title={t`The bar by itself`} code="<Bar parts={[…]} total={180} label={…} thin />">
        <div className="grow">
          <Bar parts={parts} total={180} label={t`Processed`} />
        </div>
      </Specimen>
      <Specimen
        title={t`What has ended, in short`}
        code="<ProgressEnded title={…} when={…} parts={[…]} total={120} text={…} action={…} />"
      >
        <ProgressEnded
          title={t`Round 3`}
          when="30/09/2026"
          parts={parts}
          total={120}
          text={t`117 of 120 were paid.`}
        />
      </Specimen>
      <Specimen title={t`A share, in a cell of a table`} code="<Share value={117} of={180} share={0.65} />">
        <div className="grow">
          <Share value={117} of={180} share={0.65} />
        </div>
      </Specimen>
      <Specimen title={t`Amounts that hold to the franc`} code="<Figures sum figures={[…]} />">
        <Figures
          sum
          figures={[
            { key: 'expected', label: t`Expected`, amount: 2_730_000 },
            { key: 'disbursed', label: t`Disbursed`, amount: 2_715_000, swatch: 'good' },
            { key: 'arrears', label: t`Arrears`, amount: 15_000, swatch: 'bad' },
          ]}
        />
      </Specimen>
      <Specimen
        title={t`What goes on, and how far it is`}
        code="<ProgressCard title={…} total={180} parts={[…]} pace={…} meanwhile={…} />"
      >
        <ProgressCard
          title={t`Disbursing money to beneficiaries`}
          text={t`Processing 120 of 180 beneficiaries`}
          total={180}
          parts={[
            { key: 'success', label: t`Success`, count: 117, tone: 'good' },
            { key: 'failed', label: t`Failed`, count: 3, tone: 'bad' },
            { key: 'rest', label: t`Still to send`, count: 60, tone: 'rest' },
          ]}
          meanwhile={t`You can leave this page.`}
        />
      </Specimen>
    </>
  )
}

function Charts() {
  const { t } = useLingui()
  return (
    <>
      <Specimen title={t`Lying bars`} code="<BarChart label={…} bars={[{ key, label, value, shown }]} />">
        <BarChart
          label={t`Disbursement by CAP`}
          bars={[
            { key: 'san', label: 'CAP SAN', value: 2_428, shown: <Money amount={2_428_000} /> },
            { key: 'kita', label: 'CAP KITA', value: 1_344, shown: <Money amount={1_344_000} /> },
          ]}
        />
      </Specimen>
      <Specimen title={t`Standing columns`} code="<ColumnChart label={…} series={…} groups={…} format={…} />">
        <ColumnChart
          label={t`Present: teachers 97%, students 90%`}
          series={[
            { key: 'teachers', label: t`Teachers`, tone: 'accent' },
            { key: 'students', label: t`Students`, tone: 'warm' },
          ]}
          groups={[{ key: 'day', label: '16/11', values: [0.97, 0.9] }]}
          format={(value) => formatPercent(value)}
        />
      </Specimen>
      <Specimen
        title={t`What happened, newest first`}
        code="<Timeline events={[{ key, icon, title, when, text, by }]} />"
      >
        <Timeline
          events={[
            {
              key: 1,
              icon: 'good',
              tone: 'good',
              title: t`Case resolved`,
              when: '30/09/2026',
              by: 'Salimata Dembélé',
            },
            { key: 2, icon: 'plus', title: t`Case filed`, when: '29/09/2026', by: 'Modibo Guindo' },
          ]}
        />
      </Specimen>
    </>
  )
}
