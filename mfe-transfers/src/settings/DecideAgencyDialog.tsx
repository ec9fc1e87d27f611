import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Agency, AgencyChange, AgencyTerms } from '@portal/contracts/transfers/agencies'
import { agencyChangeSteps } from '@portal/contracts/transfers/steps/settings'
import { formatDateTime } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useSession } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { Table } from '@portal/ui/Table'
import { NextStep } from '../dialogs/NextStep.tsx'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { fullName } from '../words.tsx'
import { detailLabel } from './DetailsFields.tsx'
import { protocolName } from './protocol-name.ts'

type Props = {
  agency: Agency
  change: AgencyChange
  action: 'confirmed' | 'refused'
  onClose: () => void
}

/** The second person's decision on a change of an agency, with old and new values. */
export function DecideAgencyDialog({ agency, change, action, onClose }: Props) {
  const { t } = useLingui()
  const { user, settings } = useSession()
  const confirms = action === 'confirmed'
  const form = useEndpointForm(transfers.decideAgencyChange, {
    params: { id: change.id },
    defaults: { action },
    refetches: [transfers.settings],
    onDone: onClose,
  })
  const own = settings.four_eyes && change.user_id === user.id
  const barred = !confirms ? null : own ? (
    t`You proposed this change, so somebody else must confirm it.`
  ) : agency.open_outcomes > 0 ? (
    <Plural
      value={agency.open_outcomes}
      one="# outcome there is open: wait until it is settled."
      other="# outcomes there are open: wait until they are settled."
    />
  ) : null
  return (
    <ConfirmDialog
      title={confirms ? t`Confirm the change of ${agency.name}?` : t`Refuse the change of ${agency.name}?`}
      form={form}
      onClose={onClose}
      danger={!confirms}
      barred={barred}
      confirmLabel={confirms ? t`Confirm the change` : t`Refuse the change`}
    >
      <OneEyeNotice />
      <ProposedBy change={change} />
      <ChangedTerms change={change} />
      {confirms && (
        <p>
          <Trans>
            Check the new address with the agency by another way than the one it came by. From then on money
            goes there.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}

/** Who proposed a change, and when. */
export function ProposedBy({ change }: { change: AgencyChange }) {
  const { t } = useLingui()
  const [who, when] = [fullName(change.user), formatDateTime(change.created_at)]
  return (
    <Notice tone="waiting" icon="shield" title={t`A change waits for a second person.`}>
      <Trans>
        {who} proposed it on {when} (UTC).
      </Trans>{' '}
      <NextStep of={agencyChangeSteps} state="proposed" onlyNext />
    </Notice>
  )
}

type Line = { key: string; label: string; old: string; next: string }

/** What a change would change, old beside new; a credential shows as its fingerprint. */
export function ChangedTerms({ change }: { change: AgencyChange }) {
  const { t } = useLingui()
  const [old, next] = [linesOf(change.old), linesOf(change.new)]
  const labels: Record<string, string> = { endpoint: t`Endpoint` }
  const lines: Line[] = [...new Set([...old.keys(), ...next.keys()])]
    .filter((key) => old.get(key) !== next.get(key))
    .map((key) => {
      const name = detailLabel(key.replace(/^\w+ /, ''))
      return {
        key,
        label: labels[key] ?? (key.startsWith('credentials ') ? t`${name} (fingerprint)` : name),
        old: old.get(key) ?? '–',
        next: next.get(key) ?? '–',
      }
    })
  const code = (text: string) => <span className="mono">{text}</span>
  return (
    <Table
      compact
      label={t`Old and new`}
      rows={lines}
      rowKey={({ key }) => key}
      empty={t`No data available`}
      columns={[
        { key: 'label', header: t`Field`, wrap: true },
        { key: 'old', header: t`Old`, wrap: true, cell: (line) => code(line.old) },
        { key: 'next', header: t`New`, wrap: true, cell: (line) => code(line.next) },
      ]}
    />
  )
}

function linesOf(terms: AgencyTerms): Map<string, string> {
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  return new Map([
    ['endpoint', terms.endpoint],
    ...Object.entries(terms.details).map(
      ([key, value]) =>
        [`details ${key}`, key === 'protocol' ? protocolName(String(value)) : text(value)] as const,
    ),
    ...Object.entries(terms.credentials).map(([key, value]) => [`credentials ${key}`, value] as const),
  ])
}
