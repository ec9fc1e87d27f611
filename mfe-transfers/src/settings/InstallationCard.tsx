import { useLingui } from '@lingui/react/macro'
import { Card } from '@portal/ui/Card'

/** Which installation this is: whoever restores a backup or moves the portal needs to know. */
export function InstallationCard({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <Card
      title={t`Installation`}
      text={t`Payment keys are derived from this id. It is kept in the database and outside of it; the portal refuses to start when the two differ.`}
      padded
    >
      <code className="mono">{id}</code>
    </Card>
  )
}
