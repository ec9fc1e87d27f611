import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type PersonData, personData } from '@portal/contracts/access/person-data'
import { formatPercent } from '@portal/i18n/format'
import { useExportFile } from '@portal/screens/ExportButton'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { usePoll } from '@portal/screens/usePoll'
import { useHost } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { Failed } from '@portal/ui/Table'
import { useParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { ErasureCard } from './ErasureCard.tsx'
import { isOpen, useRecordWords } from './erasure-words.tsx'
import { Parts } from './Parts.tsx'
import './words.ts'

const ExportPersonDialog = lazy(() => import('./ExportPersonDialog.tsx'), 'ExportPersonDialog')
const AskErasureDialog = lazy(() => import('./AskErasureDialog.tsx'), 'AskErasureDialog')

/** What the portal holds of one person, and what may be done with it. */
export default function PersonPage() {
  const { t } = useLingui()
  const { can } = useHost()
  const { kind = '', id = '' } = useParams()
  const query = usePoll(
    personData.read,
    { every: 30_000, until: ({ erasure }) => erasure?.state !== 'approved' },
    { params: { kind, id: Number(id) } },
  )
  useLanguageRefetch(personData.read)
  const exporting = useDialog<PersonData>()
  const asking = useDialog<PersonData>()
  const file = useExportFile()
  const recordWords = useRecordWords()
  if (!query.data) {
    const failure = failureOf(query.error && asProblem(query.error), () => void query.refetch())
    return (
      <ListPage title={failure ? t`Personal data` : <Skeleton width={260} height={28} />}>
        <Card padded>{failure ? <Failed {...failure} /> : <Skeleton width="60%" height={96} />}</Card>
      </ListPage>
    )
  }
  const { person, erasure } = query.data
  const known = person ?? erasure
  const number = person?.id ?? erasure?.record_id ?? 0
  return (
    <>
      <PageHead
        above={known && recordWords(known.kind, number)}
        title={person?.name ?? t`Erased person`}
        text={person && t`What the portal holds of this person.`}
        back={can('people.erase') ? { href: paths.erasures, label: t`Erasures` } : undefined}
        renderLink={pageLink}
        actions={
          person && (
            <>
              {can('people.erase') && !(erasure && isOpen(erasure)) && (
                <Button variant="danger" icon="trash" onClick={() => asking.open(person)}>
                  <Trans>Ask for erasure</Trans>
                </Button>
              )}
              {can('people.export') && (
                <Button icon="download" busy={file.busy} onClick={() => exporting.open(person)}>
                  <Trans>Export personal data</Trans>
                  {file.share !== null && <span>{formatPercent(file.share)}</span>}
                </Button>
              )}
            </>
          )
        }
      />
      {erasure && <ErasureCard erasure={erasure} parts={person?.parts ?? []} />}
      {person && (
        <Card title={t`Where data are, and what an erasure leaves`}>
          <Parts parts={person.parts} />
        </Card>
      )}
      {exporting.item && (
        <ExportPersonDialog
          person={exporting.item}
          onStarted={(name) => void file.save(async () => name)}
          onClose={exporting.close}
        />
      )}
      {asking.item && <AskErasureDialog person={asking.item} onClose={asking.close} />}
    </>
  )
}
