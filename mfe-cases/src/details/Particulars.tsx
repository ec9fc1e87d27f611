import { Trans, useLingui } from '@lingui/react/macro'
import type { Case } from '@portal/contracts/cases'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { DateText } from '@portal/ui/Money'
import { Tag, Tags } from '@portal/ui/StatusPill'
import { fullName, priorityName } from '../words.tsx'

type Props = { complain: Case & { verdict: string | null }; onAssign?: (() => void) | undefined }

/** Who filed a case, when, about what, and who decides it. */
export function Particulars({ complain, onAssign }: Props) {
  const { t } = useLingui()
  const assign = onAssign && (
    <Button small onClick={onAssign}>
      <Trans>Reassign</Trans>
    </Button>
  )
  return (
    <Card title={t`Details`} actions={assign}>
      <Sheet
        facts={[
          { key: 'number', label: t`Reference`, value: complain.number },
          { key: 'user', label: t`Filed by`, value: fullName(complain.user) },
          ...(complain.plaintiff
            ? [{ key: 'plaintiff', label: t`Plaintiff`, value: complain.plaintiff }]
            : []),
          { key: 'created_at', label: t`Filing date`, value: <DateText iso={complain.created_at} time /> },
          { key: 'type', label: t`Category`, value: complain.type.name },
          { key: 'assigned', label: t`Assigned to`, value: fullName(complain.assigned) },
          { key: 'channel', label: t`Reporting channel`, value: complain.channel.name },
          { key: 'priority', label: t`Priority`, value: priorityName(complain.priority) },
          {
            key: 'tags',
            label: t`Tags`,
            value:
              complain.tags.length > 0 ? (
                <Tags>
                  {complain.tags.map((tag) => (
                    <Tag key={tag.id}>{tag.name}</Tag>
                  ))}
                </Tags>
              ) : (
                '–'
              ),
          },
          ...(complain.verdict
            ? [
                {
                  key: 'verdict',
                  label: t`Verdict`,
                  value: <span className="pre-line">{complain.verdict}</span>,
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}
