import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/geography'
import { formatNumber } from '@portal/i18n/format'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { countryName } from '../words.tsx'
import { Choice } from './Choice.tsx'
import { chosenIn, type SelectionState } from './useSelection.tsx'

const shares = ['50', '60', '70', '75', '80', '85', '90', '95']
const periods = ['7', '14', '30', '60', '90']

type Option = { value: string; label: string }
const options = (of: readonly { id: number; name: string }[] = []): Option[] =>
  of.map(({ id, name }) => ({ value: String(id), label: name }))

/** Place, schools, class levels and conditions: each is in the address as soon as it is chosen. */
export function SelectionChoices({ value, choose, count }: SelectionState) {
  const { t } = useLingui()
  const { client } = useHost()
  const places = useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 }).data
  const country = value('country')
  const regions = (places?.regions ?? []).filter((region) => region.country === country)
  const region = Number(value('region'))
  const academies = (places?.academies ?? []).filter(({ region_id }) =>
    region ? region_id === region : regions.some(({ id }) => id === region_id),
  )
  const caps = (places?.caps ?? []).filter(({ academy_id }) => academies.some(({ id }) => id === academy_id))
  const levelName = (code: string) => places?.class_levels.find((level) => level.code === code)?.name ?? code
  const withGirls = (name: string, girls: number) => `${name} (${formatNumber(girls)})`
  const { schools, levels } = count.data ?? {}
  // A level that is chosen stays to be seen, also where no girl has it.
  const offered = levels && [
    ...levels.filter(({ code }) => code !== ''),
    ...chosenIn(value('levels'))
      .filter((code) => !levels.some((level) => level.code === code))
      .map((code) => ({ code, girls: 0 })),
  ]
  return (
    <Card title={t`Which girls`} padded>
      <div className="fields">
        <div className="fields pair">
          <Choice
            label={t`Country`}
            all={countryName('ml')}
            options={[{ value: 'sn', label: countryName('sn') }]}
            value={country === 'ml' ? '' : country}
            onChange={(chosen) => choose({ country: chosen, region: '', cap: '', schools: '', levels: '' })}
          />
          <Choice
            label={t`Region`}
            all={t`All regions`}
            options={options(regions)}
            value={value('region')}
            onChange={(chosen) => choose({ region: chosen, cap: '', schools: '' })}
          />
          <Choice
            label={t`CAP`}
            all={t`All CAPs`}
            options={options(caps)}
            value={value('cap')}
            onChange={(chosen) => choose({ cap: chosen, schools: '' })}
          />
        </div>
        {schools ? (
          <Checks
            label={t`Schools`}
            help={t`None chosen: all of them`}
            options={schools.map(({ id, name, girls }) => ({
              value: String(id),
              label: withGirls(name, girls),
            }))}
            chosen={value('schools')}
            onChange={(chosen) => choose({ schools: chosen })}
          />
        ) : (
          count.data && (
            <p className="muted">
              <Trans>All schools of the place. Choose a region or a CAP to choose among its schools.</Trans>
            </p>
          )
        )}
        {offered && (
          <Checks
            label={t`Class levels`}
            help={t`None chosen: all of them`}
            options={offered.map(({ code, girls }) => ({
              value: code,
              label: withGirls(levelName(code), girls),
            }))}
            chosen={value('levels')}
            onChange={(chosen) => choose({ levels: chosen })}
          />
        )}
        <FieldFrame group label={t`Conditions`}>
          {() => (
            <div className="checks">
              <Condition
                label={t`Has a guardian with a number of the country`}
                on={value('guardian') === 'yes'}
                onChange={(on) => choose({ guardian: on ? 'yes' : '' })}
              />
              <Condition
                label={t`Is not on hold`}
                on={value('not_held') === 'yes'}
                onChange={(on) => choose({ not_held: on ? 'yes' : '' })}
              />
            </div>
          )}
        </FieldFrame>
        <div className="fields pair">
          <Choice
            label={t`Attendance of her class`}
            all={t`Any attendance`}
            options={among(shares, value('attendance')).map((share) => ({
              value: share,
              label: t`At least ${share} %`,
            }))}
            value={value('attendance')}
            onChange={(chosen) => choose({ attendance: chosen })}
          />
          {value('attendance') && (
            <Choice
              label={t`Over the last`}
              all={t`30 days`}
              options={among(periods, value('attendance_days'))
                .filter((days) => days !== '30')
                .map((days) => ({ value: days, label: t`${days} days` }))}
              value={value('attendance_days') === '30' ? '' : value('attendance_days')}
              onChange={(chosen) => choose({ attendance_days: chosen })}
            />
          )}
        </div>
      </div>
    </Card>
  )
}

/** The usual values, with one that a link brought. */
const among = (usual: readonly string[], value: string) =>
  value === '' || usual.includes(value)
    ? usual
    : [...usual, value].sort((one, other) => Number(one) - Number(other))

function Condition({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}

type ChecksProps = {
  label: string
  help: string
  options: readonly Option[]
  chosen: string
  onChange: (chosen: string) => void
}

/** Any of a list, which scrolls if it is long. */
function Checks({ label, help, options: all, chosen, onChange }: ChecksProps) {
  const set = new Set(chosenIn(chosen))
  if (all.length === 0 && set.size === 0) return null
  const toggled = (value: string, on: boolean) => {
    const next = new Set(set)
    if (on) next.add(value)
    else next.delete(value)
    return [...next].sort().join()
  }
  return (
    <FieldFrame group label={label} help={help}>
      {() => (
        <div className="checks" style={{ maxHeight: 240, overflowY: 'auto' }}>
          {all.map((option) => (
            <label key={option.value} className="check">
              <input
                type="checkbox"
                checked={set.has(option.value)}
                onChange={(event) => onChange(toggled(option.value, event.target.checked))}
              />
              <span>{option.label}</span>
            </label>
          ))}
        </div>
      )}
    </FieldFrame>
  )
}
