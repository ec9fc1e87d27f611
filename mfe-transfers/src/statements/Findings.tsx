import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { findingCategoryWords } from '@portal/contracts/transfers/statement-words'
import {
  type FindingCategory,
  findingCategories,
  type OpenedStatement,
  statements,
} from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import { DataTable } from '@portal/screens/DataTable'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import type { Wanted } from './ResolveDialog.tsx'
import { useFindingColumns } from './useFindingColumns.tsx'

const ResolveDialog = lazy(() => import('./ResolveDialog.tsx'), 'ResolveDialog')

/** The lines of a statement and the payments without one, by category, and the resolution of differences. */
export function Findings({ statement }: { statement: OpenedStatement }) {
  const { t } = useLingui()
  const can = useCan()
  const resolving = useDialog<Wanted & { onDone?: () => void }>()
  const list = useList(statements.findings, 'findings', { params: { id: statement.id } })
  const category = findingCategories.find((each) => each === list.view.filter('category'))
  const mayResolve = statement.state === 'open' && can('statements.import')
  const counts = new Map(statement.totals.map(({ category: of, count }) => [of, count]))
  const total = statement.totals.find((each) => each.category === category)
  const left = total ? total.count - total.resolved : 0
  return (
    <>
      {list.narrowed && (
        <div className="actions">
          <ExportButton
            endpoint={statements.export}
            body={{
              statement_id: statement.id,
              category,
              resolved: (['true', 'false'] as const).find((each) => each === list.view.filter('resolved')),
              search: list.view.search,
            }}
            permission="payrolls.export"
          >
            <Trans>Export what is listed (Excel)</Trans>
          </ExportButton>
          {category && mayResolve && category !== 'matched' && left > 0 && (
            <Button onClick={() => resolving.open({ category, count: left })}>
              <Plural value={left} one="Resolve # open difference" other="Resolve all # open differences" />
            </Button>
          )}
        </div>
      )}
      <DataTable
        label={t`Lines and payments`}
        list={list}
        columns={useFindingColumns()}
        rowName={({ reference, number }) => reference ?? number ?? ''}
        chosenActs={
          mayResolve
            ? [
                {
                  key: 'resolve',
                  permission: 'statements.import',
                  draw: (chosen, onDone) => (
                    <Button
                      small
                      onClick={() =>
                        resolving.open({ ids: chosen.map(({ id }) => id), count: chosen.length, onDone })
                      }
                    >
                      {t`Resolve the selection`}
                    </Button>
                  ),
                },
              ]
            : []
        }
        search={t`Reference, number or name`}
        filters={[
          {
            name: 'category',
            label: t`Category`,
            options: findingCategories.map((value: FindingCategory) => ({
              value,
              label: findingCategoryWords[value][currentLocale()],
              count: counts.get(value) ?? 0,
            })),
          },
          {
            name: 'resolved',
            as: 'select',
            label: t`Resolved`,
            all: t`Resolved and open`,
            options: [
              { value: 'false', label: t`Open` },
              { value: 'true', label: t`Resolved` },
            ],
          },
        ]}
        empty={t`Nothing is in this category`}
      />
      {resolving.item && (
        <ResolveDialog
          id={statement.id}
          wanted={resolving.item}
          onDone={() => resolving.item?.onDone?.()}
          onClose={resolving.close}
        />
      )}
    </>
  )
}
