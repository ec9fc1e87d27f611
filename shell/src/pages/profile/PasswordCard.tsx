import { Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '@portal/contracts/access/profile'
import { password, session } from '@portal/contracts/session'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Button } from '@portal/ui/Button'
import { PasswordField } from '@portal/ui/TextField'
import { FormCard } from './FormCard.tsx'

/** A new password by whoever knows the present one. */
export function PasswordCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const form = useEndpointForm(password.change, {
    defaults: { current_password: '', password: '' },
    refetches: [session.list],
    onDone: () => form.fields.reset({ current_password: '', password: '' }),
  })
  return (
    <FormCard
      title={t`Change password`}
      text={t`You stay signed in here; every other device is signed out.`}
      form={form}
      actions={
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          <Trans>Change password</Trans>
        </Button>
      }
    >
      {/* Password managers file the new password under this name. */}
      <input type="hidden" name="username" autoComplete="username" value={user.email ?? ''} readOnly />
      <PasswordField
        control={form.control}
        name="current_password"
        label={t`Current password`}
        autoComplete="current-password"
        required
      />
      <PasswordField
        control={form.control}
        name="password"
        label={t`New password`}
        help={t`12 to 200 characters. Four words in a row are easy to remember and hard to guess.`}
        autoComplete="new-password"
        required
      />
    </FormCard>
  )
}
