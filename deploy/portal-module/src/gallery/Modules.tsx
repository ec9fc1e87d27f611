import { useLingui } from '@lingui/react/macro'
import { schools } from '@portal/contracts/registers'
import { DataTable } from '@portal/screens/DataTable'
import { pageLink } from '@portal/screens/ListPage'
import { ModuleParts } from '@portal/screens/ModuleParts'
import { ModuleTabs, openTab, useModuleTabs } from '@portal/screens/ModuleTabs'
import { useList } from '@portal/screens/useList'
import { useModuleActs } from '@portal/screens/useModuleActs'
import { useModuleColumns } from '@portal/screens/useModuleColumns'
import { type Extensions, useHost } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { Tabs } from '@portal/ui/Filters'
import type { Answers } from '../harness/fake-portal.ts'
import { Shelf, Specimen } from './Specimen.tsx'
import { sampleSchool } from './samples.ts'

const visits = 'mfe-health:visits'
const weighed = 'mfe-health:weighed'

const columnsRead: Answers = {
  'GET /modules/columns': () => ({ body: { columns: [{ key: weighed, values: { 1: '2026-01-15' } }] } }),
}
const columnsFailed: Answers = { 'GET /modules/columns': () => ({ status: 500, body: {} }) }

/** What modules add to pages of others: tabs, parts of dialogs, entries of menus and columns. */
export function Modules() {
  const { t } = useLingui()
  const extensions: Extensions = {
    tabs: () => [{ key: visits, title: t`Visits of nurses` }],
    acts: () => [{ key: 'mfe-health:visit', label: t`Plan a visit`, to: () => '/health/visits' }],
    columns: () => [{ key: weighed, label: t`Last weighed`, show: 'date' }],
    Tab: VisitsTab,
  }
  const none: Extensions = { ...extensions, tabs: () => [] }
  const list = `const acts = useModuleActs('school')
<DataTable … added={useModuleColumns('school', list.items)} rowActions={(row) => [… , …(acts?.(row) ?? [])]} />`
  return (
    <Shelf title={t`Parts of modules on pages of others`}>
      <Specimen
        title={t`The page of a thing with the tabs of modules`}
        code='<ModuleTabs on="school" item={school} label={…} own={…}>…</ModuleTabs>'
        extensions={extensions}
      >
        <SchoolTabs />
      </Specimen>
      <Specimen
        title={t`The same where no module has a tab`}
        code='<ModuleTabs on="school" item={school} label={…} own={…}>…</ModuleTabs>'
        extensions={none}
      >
        <SchoolTabs />
      </Specimen>
      <Specimen
        title={t`Beside tabs of the page’s own`}
        code={"const { tabs, isOpen, shown } = useModuleTabs('school', school)"}
        extensions={extensions}
      >
        <TabsBeside />
      </Specimen>
      <Specimen
        title={t`In a dialog, which has no address`}
        code='<ModuleParts on="school" item={school} label={…} own={…}>…</ModuleParts>'
        extensions={extensions}
      >
        <div className="grow">
          <ModuleParts on="school" item={sampleSchool} label={t`Parts`} own={t`Details`}>
            <SchoolFacts />
          </ModuleParts>
        </div>
      </Specimen>
      <Specimen
        title={t`One tab, opened by its key`}
        code={"openTab(extensions, 'mfe-health:visits', 'school', school)"}
        extensions={extensions}
      >
        <OpenedTab />
      </Specimen>
      <Specimen
        title={t`Columns and entries of modules in a list`}
        code={list}
        extensions={extensions}
        answers={columnsRead}
      >
        <SchoolsOfModules />
      </Specimen>
      <Specimen
        title={t`Columns of modules that could not be read`}
        code={list}
        extensions={extensions}
        answers={columnsFailed}
      >
        <SchoolsOfModules />
      </Specimen>
    </Shelf>
  )
}

function VisitsTab() {
  const { t } = useLingui()
  return (
    <Card title={t`Visits of nurses`} padded>
      {t`The module draws this.`}
    </Card>
  )
}

function SchoolFacts() {
  const { t } = useLingui()
  return <Sheet facts={[{ key: 'code', label: t`Code`, value: sampleSchool.code }]} />
}

function SchoolTabs() {
  const { t } = useLingui()
  return (
    <div className="grow">
      <ModuleTabs on="school" item={sampleSchool} label={t`Parts of the page`} own={t`School`}>
        <SchoolFacts />
      </ModuleTabs>
    </div>
  )
}

function TabsBeside() {
  const { t } = useLingui()
  const { tabs, isOpen, shown } = useModuleTabs('school', sampleSchool)
  return (
    <div className="grow">
      <Tabs
        label={t`Parts of the school`}
        renderLink={pageLink}
        tabs={[{ href: '?', label: t`Classes`, count: 6, current: !isOpen }, ...tabs]}
      />
      {isOpen ? shown : <SchoolFacts />}
    </div>
  )
}

function OpenedTab() {
  const { extensions } = useHost()
  return extensions ? openTab(extensions, visits, 'school', sampleSchool) : null
}

function SchoolsOfModules() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  const acts = useModuleActs('school')
  return (
    <DataTable
      label={t`Schools with parts of modules`}
      list={list}
      columns={[
        { key: 'name', header: t`Name`, phone: 'title' },
        { key: 'admin_code', header: t`Code` },
      ]}
      added={useModuleColumns('school', list.items)}
      empty={t`No data available`}
      rowName={({ name }) => name}
      rowActions={({ id, name, admin_code }) => [
        { label: t`Edit`, icon: 'pencil', permission: null, onSelect: () => undefined },
        ...(acts?.({ id, name, code: admin_code }) ?? []),
      ]}
    />
  )
}
