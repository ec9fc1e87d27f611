import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { transfers } from '@portal/contracts/transfers'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useRowDialog } from '@portal/screens/useRowDialog'
import { useHost, useQuery } from '@portal/sdk'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { AgenciesCard } from './AgenciesCard.tsx'
import { InstallationCard } from './InstallationCard.tsx'
import { LatestCohorts, LatestParameters } from './LatestCards.tsx'
import { StepGuide } from './StepGuide.tsx'
import './words.ts'

const CreateAgencyDialog = lazy(() => import('./CreateAgencyDialog.tsx'), 'CreateAgencyDialog')
const CreateParameterDialog = lazy(
  () => import('../dialogs/CreateParameterDialog.tsx'),
  'CreateParameterDialog',
)
const UploadCohortDialog = lazy(() => import('../dialogs/UploadCohortDialog.tsx'), 'UploadCohortDialog')
const ViewAgencyDialog = lazy(() => import('./ViewAgencyDialog.tsx'), 'ViewAgencyDialog')
const ViewCohortDialog = lazy(() => import('../dialogs/ViewCohortDialog.tsx'), 'ViewCohortDialog')
const ViewParameterDialog = lazy(() => import('../dialogs/ViewParameterDialog.tsx'), 'ViewParameterDialog')

/** Everything a first transfer needs, in four steps. */
export default function SettingsPage() {
  const { t } = useLingui()
  const { client } = useHost()
  const settings = useQuery(queryOf(client, transfers.settings))
  const making = useDialog<'agency' | 'parameter' | 'cohort'>()
  const agency = useRowDialog(settings.data?.agencies)
  const parameter = useRowDialog(settings.data?.parameters)
  const cohort = useRowDialog(settings.data?.cohorts)
  return (
    <TransferPage
      title={t`Transfer settings`}
      description={t`Agencies, parameters and target lists: what has to be there before money can go out.`}
      back={{ to: paths.overview, label: t`Transfers` }}
    >
      <StepGuide onMake={making.open} />
      <AgenciesCard settings={settings} onOpen={agency.open} onCreate={() => making.open('agency')} />
      <LatestParameters
        settings={settings}
        onOpen={parameter.open}
        onCreate={() => making.open('parameter')}
      />
      <LatestCohorts settings={settings} onOpen={cohort.open} onCreate={() => making.open('cohort')} />
      {settings.data?.installation && <InstallationCard id={settings.data.installation} />}
      {making.item === 'agency' && <CreateAgencyDialog onClose={making.close} />}
      {making.item === 'parameter' && <CreateParameterDialog onClose={making.close} />}
      {making.item === 'cohort' && <UploadCohortDialog onClose={making.close} />}
      {agency.item && <ViewAgencyDialog agency={agency.item} onClose={agency.close} />}
      {parameter.item && <ViewParameterDialog parameter={parameter.item} onClose={parameter.close} />}
      {cohort.item && <ViewCohortDialog cohort={cohort.item} onClose={cohort.close} />}
    </TransferPage>
  )
}
