import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { endpoint } from '@portal/contracts/endpoint'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { moduleRecords } from '@portal/contracts/module-records'
import { currentLocale } from '@portal/i18n/locale'
import { ListPage } from '@portal/screens/ListPage'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Blank, Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { Failed } from '@portal/ui/Table'
import { Workbench } from '@portal/workbench/Workbench'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

type Shelf = { module: string; collection: string }

/** The calls of one collection: a page of the workbench knows no parameters of addresses. */
function callsOf({ module, collection }: Shelf) {
  const path = `/modules/${module}/records/${collection}` as const
  return {
    list: endpoint({ ...moduleRecords.list, path }),
    sample: endpoint({ ...moduleRecords.sample, path: `${path}/import/sample.xlsx` as const }),
    import: endpoint({ ...moduleRecords.import, path: `${path}/import` as const }),
  }
}

/** Records of a module out of an Excel file. The module leads here, and its page is where one goes back to. */
export default function ImportRecordsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const [url] = useSearchParams()
  const [module = '', collection = ''] = (url.get('of') ?? '').split('.')
  const of = useMemo(() => ({ module, collection }), [module, collection])
  const calls = useMemo(() => callsOf(of), [of])
  const opened = Number(url.get('import'))
  const asked = useQuery({
    ...queryOf(client, moduleRecords.importing, { params: of, query: opened ? { import: opened } : {} }),
    enabled: Boolean(module && collection),
  })
  if (!asked.data) {
    const failure = failureOf(asked.error, asked.refetch)
    return (
      <ListPage title={t`Import records`}>
        <Card padded>
          {!collection ? (
            <Blank title={t`Open this page from the module whose records you import`} />
          ) : failure ? (
            <Failed {...failure} />
          ) : (
            <Skeleton width="60%" height={96} />
          )}
        </Card>
      </ListPage>
    )
  }
  const sheet = asked.data.sheet as Sheet
  const { to, label } = asked.data.back
  const name = sheet.title[currentLocale()]
  return (
    <Workbench
      kind="module-records"
      of={of}
      sheet={sheet}
      sample={calls.sample}
      endpoint={calls.import}
      title={t`Import records: ${name}`}
      back={{ to, label: label[currentLocale()] }}
      refetches={[calls.list]}
    />
  )
}
