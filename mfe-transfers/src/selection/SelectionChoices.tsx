import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { geography } from '@portal/contracts/registers/geography'
import { formatNumber } from '@portal/i18n/format'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { countryName } from '../words.tsx'
import { Checks, Condition, type Option } from './Checks.tsx'
import { Choice } from './Choice.tsx'
import { chosenIn, type SelectionState } from './useSelection.tsx'

type Props = Pick<SelectionState, 'value' | 'choose' | 'count'>

/** Place, schools, class levels and conditions: each is in the address as soon as it is chosen. */
export function SelectionChoices({ value, choose, count }: SelectionState) {
  const { t } = useLingui()
  return (
    <Card title={t`Which girls`} padded>
      <div className="fields">
        <PlaceChoices value={value} choose={choose} />
        <SchoolChecks value={value} choose={choose} count={count} />
        <LevelChecks value={value} choose={choose} count={count} />
        <Conditions value={value} choose={choose} />
        <AttendanceChoices value={value} choose={choose} />
      </div>
    </Card>
  )
}

function usePlaces() {
  const { client } = useHost()
  return useQuery({ ...queryOf(client, geography.options), staleTime: 300_000 }).data
}

function PlaceChoices({ value, choose }: Omit<Props, 'count'>) {
  const { t } = useLingui()
  const places = usePlaces()
  const country = value('country')
  const regions = (places?.regions ?? []).filter((region) => region.country === country)
  const region = Number(value('region'))
  const academies = (places?.academies ?? []).filter(({ region_id }) =>
    region ? region_id === region : regions.some(({ id }) => id === region_id),
  )
  const caps = (places?.caps ?? []).filter(({ academy_id }) => academies.some(({ id }) => id === academy_id))
  return (
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
  )
}

const options = (of: readonly { id: number; name: string }[]): Option[] =>
  of.map(({ id, name }) => ({ value: String(id), label: name }))

const withGirls = (name: string, girls: number) => `${name} (${formatNumber(girls)})`

/** The schools of a region or a CAP. Those of a whole country are too many to choose from. */
function SchoolChecks({ value, choose, count: { data } }: Props) {
  const { t } = useLingui()
  if (!data) return null
  if (!data.schools)
    return (
      <p className="muted">
        <Trans>All schools of the place. Choose a region or a CAP to choose among its schools.</Trans>
      </p>
    )
  return (
    <Checks
      label={t`Schools`}
      help={t`None chosen: all of them`}
      options={data.schools.map(({ id, name, girls }) => ({
        value: String(id),
        label: withGirls(name, girls),
      }))}
      chosen={value('schools')}
      onChange={(schools) => choose({ schools })}
    />
  )
}

function LevelChecks({ value, choose, count: { data } }: Props) {
  const { t } = useLingui()
  const places = usePlaces()
  if (!data) return null
  const { levels } = data
  const levelName = (code: string) => places?.class_levels.find((level) => level.code === code)?.name ?? code
  // A level that is chosen stays to be seen, also where no girl has it.
  const offered = [
    ...levels.filter(({ code }) => code !== ''),
    ...chosenIn(value('levels'))
      .filter((code) => !levels.some((level) => level.code === code))
      .map((code) => ({ code, girls: 0 })),
  ]
  return (
    <Checks
      label={t`Class levels`}
      help={t`None chosen: all of them`}
      options={offered.map(({ code, girls }) => ({ value: code, label: withGirls(levelName(code), girls) }))}
      chosen={value('levels')}
      onChange={(chosen) => choose({ levels: chosen })}
    />
  )
}

function Conditions({ value, choose }: Omit<Props, 'count'>) {
  const { t } = useLingui()
  return (
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
  )
}

const shares = ['50', '60', '70', '75', '80', '85', '90', '95']
const periods = ['7', '14', '30', '60', '90']

function AttendanceChoices({ value, choose }: Omit<Props, 'count'>) {
  const { t } = useLingui()
  return (
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
  )
}

/** The usual values, with one that a link brought. */
const among = (usual: readonly string[], value: string) =>
  value === '' || usual.includes(value)
    ? usual
    : [...usual, value].sort((one, other) => Number(one) - Number(other))
