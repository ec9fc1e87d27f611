import { Trans, useLingui } from '@lingui/react/macro'
import { type Profile, profile } from '@portal/contracts/access/profile'
import { currentLocale } from '@portal/i18n/locale'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Button } from '@portal/ui/Button'
import { SelectField } from '@portal/ui/SelectField'
import { setLocale } from '../../language.ts'
import { useSessionStore } from '../../session/session.ts'
import { FormCard } from './FormCard.tsx'
import { useStored } from './useStored.ts'

/** The language, which also decides how numbers are written: kept with the person, not with the browser. */
export function PreferencesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const prefer = useSessionStore((state) => state.prefer)
  const { id, first_name, last_name, version } = user
  const stored = { first_name, last_name, locale: user.locale ?? currentLocale(), version }
  const form = useEndpointForm(profile.update, {
    params: { id },
    defaults: stored,
    refetches: [profile.read],
    problems: 'user',
    onDone: () => {
      const locale = form.fields.getValues('locale') ?? currentLocale()
      prefer(locale)
      void setLocale(locale)
    },
  })
  // The names are sent along, and another card changes them.
  useStored(form, stored)
  return (
    <FormCard
      title={t`Language and numbers`}
      form={form}
      actions={
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          <Trans>Save</Trans>
        </Button>
      }
    >
      <SelectField
        control={form.control}
        name="locale"
        label={t`Language`}
        help={t`Of the portal and of the messages it sends you. It also decides how numbers are written.`}
        placeholder={false}
        options={[
          { value: 'en', label: 'English' },
          { value: 'fr', label: 'Français' },
        ]}
      />
    </FormCard>
  )
}
