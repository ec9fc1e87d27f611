import { useLingui } from '@lingui/react/macro'
import { roleName } from '@portal/contracts/access/role-names'
import { type FlagAudience, type ModuleFlag, moduleFlags } from '@portal/contracts/module-flags'
import { currentLocale } from '@portal/i18n/locale'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { NumberField } from '@portal/ui/NumberField'
import { ChecksField, SelectField } from '@portal/ui/SelectField'
import { declaredText, type Role } from './flag-words.ts'

type Props = { module: string; flag: ModuleFlag; roles: readonly Role[]; onClose: () => void }

/** Decides who has a switch of a module. */
export function FlagDialog({ module, flag, roles, onClose }: Props) {
  const { t } = useLingui()
  const locale = currentLocale()
  const { who, percent, version } = flag
  const form = useEndpointForm(moduleFlags.decide, {
    params: { module, flag: flag.id },
    defaults: { who, roles: flag.roles, percent, version },
    refetches: [moduleFlags.list],
    onDone: onClose,
  })
  const { control } = form
  const options: { value: FlagAudience; label: string }[] = [
    { value: 'declared', label: declaredText(flag) },
    { value: 'everybody', label: t`Everybody` },
    { value: 'nobody', label: t`Nobody` },
    { value: 'some', label: t`Some people` },
  ]
  return (
    <FormDialog title={flag.title[locale]} description={flag.text[locale]} form={form} onClose={onClose}>
      <SelectField control={control} name="who" label={t`Who has it`} required options={options} />
      {form.fields.watch('who') === 'some' && (
        <>
          <ChecksField
            control={control}
            name="roles"
            label={t`Roles`}
            options={roles.map(({ id, name }) => ({ value: id, label: roleName(name, locale) }))}
          />
          <NumberField
            control={control}
            name="percent"
            label={t`Share of all people`}
            help={t`From 0 to 99. The same people have it each time.`}
            suffix="%"
            whole
          />
        </>
      )}
    </FormDialog>
  )
}
