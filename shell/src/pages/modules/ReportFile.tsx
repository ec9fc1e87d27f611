import { Trans } from '@lingui/react/macro'
import type { Permission } from '@portal/contracts/permissions'
import { recordsOf } from '@portal/contracts/records'
import { ExportButton } from '@portal/screens/ExportButton'
import { useCan } from '@portal/sdk'
import { Nothing } from '@portal/ui/Money'
import * as v from 'valibot'
import type { FoundReport } from '../../platform/announced.ts'

/** The records of a report as an Excel file, with the filters that its page begins with. */
export function ReportFile({ report }: { report: FoundReport }) {
  const can = useCan()
  const { entry, collection, link, override } = { ...report, override: report.entry.override }
  const permission = ([report.permission].flat() as Permission[]).find((name) => can(name))
  // What a developer's machine serves has its records in a sandbox, which is not exported.
  if (!collection || !permission || override) return <Nothing />
  const records = recordsOf(entry.name, collection, v.record(v.string(), v.unknown()), {
    ...{ read: permission, write: permission },
  })
  const filters = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
  return (
    <ExportButton endpoint={records.export} body={{ ...filters }} permission={permission}>
      <Trans>Excel</Trans>
    </ExportButton>
  )
}
