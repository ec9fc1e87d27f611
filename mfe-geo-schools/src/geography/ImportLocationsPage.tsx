import { useLingui } from '@lingui/react/macro'
import { geography } from '@portal/contracts/registers/geography'
import { locationsSheet } from '@portal/contracts/registers/locations.sheet'
import { Workbench } from '@portal/workbench/Workbench'
import { paths } from '../paths.ts'

const refetches = [geography.locations, geography.options]

/** Arrondissements out of an Excel file. */
export default function ImportLocationsPage() {
  const { t } = useLingui()
  return (
    <Workbench
      kind="locations"
      sheet={locationsSheet}
      endpoint={geography.importLocations}
      title={t`Import locations`}
      back={{ to: paths.locations, label: t`Locations` }}
      refetches={refetches}
    />
  )
}
