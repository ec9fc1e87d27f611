import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { cases } from '@portal/contracts/cases'
import { FormDialog } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredNow } from '@portal/screens/useStoredNow'
import { useHost, useQuery } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { fullName } from '../words.tsx'

type Props = { complain: { id: number; assigned_id: number; version: number }; onClose: () => void }

/** Gives the case to another reviewer, who is told. */
export function AssignDialog({ complain, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, isPending } = useQuery(queryOf(client, cases.list, { query: {} }))
  const form = useEndpointForm(cases.assign, {
    params: { id: complain.id },
    defaults: { version: complain.version },
    refetches: [cases.details, cases.list],
    onDone: onClose,
    problems: 'request',
  })
  useStoredNow(form, { version: complain.version })
  const others = (data?.partners ?? []).filter(({ user }) => user.id !== complain.assigned_id)
  return (
    <FormDialog
      title={t`Reassign case`}
      description={t`From then on only the new reviewer can act on it.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Reassign case`}
    >
      {error && (
        <Notice tone="bad" alert>
          {problemText(error)}
        </Notice>
      )}
      <SelectField
        control={form.control}
        name="reviewer"
        label={t`Reviewer`}
        required
        disabled={isPending}
        help={
          data && others.length === 0
            ? t`Nobody else can review. A reviewer is the person of a partner, with an account whose role may manage cases.`
            : undefined
        }
        options={others.map(({ name, user }) => ({ value: user.id, label: `${fullName(user)} (${name})` }))}
      />
    </FormDialog>
  )
}
