import { useLingui } from '@lingui/react/macro'
import { type ModuleSetting, moduleSettings } from '@portal/contracts/module-settings'
import { currentLocale } from '@portal/i18n/locale'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { DateField } from '@portal/ui/DateField'
import { NumberField } from '@portal/ui/NumberField'
import { CheckboxField, SelectField } from '@portal/ui/SelectField'
import { TextField } from '@portal/ui/TextField'
import { useSettingText } from './setting-words.ts'

type Props = { module: string; settings: readonly ModuleSetting[]; version: number; onClose: () => void }

/** Changes the settings of a module. What is left blank is as the module declares it. */
export function SettingsDialog({ module, settings, version, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(moduleSettings.change, {
    params: { module },
    defaults: { values: Object.fromEntries(settings.map(({ name, value }) => [name, value])), version },
    refetches: [moduleSettings.read],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Change settings`}
      description={t`What is left blank is as the module declares it. No passwords and no keys: everybody who is signed in can read settings.`}
      form={form}
      onClose={onClose}
    >
      {settings.map((setting) => (
        <SettingField key={setting.name} control={form.control} setting={setting} />
      ))}
    </FormDialog>
  )
}

type Form = ReturnType<typeof useEndpointForm<typeof moduleSettings.change>>

function SettingField({ control, setting }: { control: Form['control']; setting: ModuleSetting }) {
  const { t } = useLingui()
  const textOf = useSettingText()
  const locale = currentLocale()
  const { type, values, text } = setting
  const usual = textOf(setting, setting.default)
  const field = {
    ...{ control, name: `values.${setting.name}` as const, label: setting.label[locale] },
    help: [text?.[locale], t`Unless changed: ${usual}`].filter(Boolean).join(' '),
  }
  if (type === 'boolean') return <CheckboxField {...field} />
  if (type === 'day') return <DateField {...field} />
  if (type === 'number' || type === 'whole') return <NumberField {...field} whole={type === 'whole'} />
  if (!values) return <TextField {...field} />
  const options = values.map(({ value, label }) => ({ value, label: label[locale] }))
  return <SelectField {...field} options={options} placeholder={false} />
}
