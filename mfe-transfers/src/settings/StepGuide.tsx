import { useLingui } from '@lingui/react/macro'
import { pageLink } from '@portal/screens/ListPage'
import { useCan } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Tag } from '@portal/ui/StatusPill'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'

type Step = { title: string; text: string; action?: ReactNode }

/** The four steps to a disbursement, each with its own act for whoever may do it. */
export function StepGuide({ onMake }: { onMake: (what: 'agency' | 'parameter' | 'cohort') => void }) {
  const { t } = useLingui()
  const can = useCan()
  const steps: Step[] = [
    {
      title: t`Add agency`,
      text: t`The mobile-money agency or bank that pays out.`,
      action: can('agencies.create') && (
        <Button small onClick={() => onMake('agency')}>{t`Create agency`}</Button>
      ),
    },
    {
      title: t`Add parameters`,
      text: t`Amount, commission and how often money is disbursed.`,
      action: can('parameters.create') && (
        <Button small onClick={() => onMake('parameter')}>{t`Create parameter`}</Button>
      ),
    },
    {
      title: t`Upload beneficiaries list`,
      text: t`An Excel file with the recipients of one cohort.`,
      action: can('cohorts.create') && (
        <Button small onClick={() => onMake('cohort')}>{t`Upload cohort`}</Button>
      ),
    },
    {
      title: t`Approval and disbursement`,
      text: t`Somebody with the necessary permissions approves the cohort; then the money goes out.`,
      action: (
        <ButtonLink small href={paths.cohorts} renderLink={pageLink}>
          {t`See cohorts`}
        </ButtonLink>
      ),
    },
  ]
  return (
    <ol className="stats" aria-label={t`Four steps to a disbursement`}>
      {steps.map(({ title, text, action }, at) => (
        <li key={title} className="card stat wide">
          <span className="label">
            <Tag>{at + 1}</Tag>
            <span className="strong">{title}</span>
          </span>
          <p className="note grow" style={{ margin: '8px 0 12px' }}>
            {text}
          </p>
          {action && <div className="actions">{action}</div>}
        </li>
      ))}
    </ol>
  )
}
